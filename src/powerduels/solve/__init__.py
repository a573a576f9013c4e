"""Exact answers: the worth of every position, settled backwards from the ends of games."""
