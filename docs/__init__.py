"""Documentation, and the scripts that write parts of it from the code."""
