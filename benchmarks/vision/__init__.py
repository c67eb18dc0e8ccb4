"""How well the eye sees, measured beside two honest baselines."""
