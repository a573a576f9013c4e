"""The computer as a player: five levels, from a beginner to perfect play."""
