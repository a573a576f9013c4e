"""The terminal player: the rulebooks' dialogues, at a keyboard or through a pipe."""
