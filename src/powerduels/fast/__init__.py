"""What must be fast: compiled code, proven equal to the rules it stands for."""
