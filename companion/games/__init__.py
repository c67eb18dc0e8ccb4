"""The rules of four silent games: pure, with no I/O, no clock and no randomness but what a move brings."""
