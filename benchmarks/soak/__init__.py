"""The soak: hundreds of whole games with mistakes and faults, checked move by move. `python -m benchmarks.soak`."""
