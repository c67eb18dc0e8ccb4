"""Weights of the eye's decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""

# For each value of `identity.evidence`.
ENROLLED = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
