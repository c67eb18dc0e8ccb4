"""The voice: cue sounds and speech, and the guard that keeps a silent game silent."""
