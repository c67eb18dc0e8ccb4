"""Weights of the eye's decision: made by `python -m benchmarks.vision.fit`, not to be changed by hand."""

# For each value of `identity.evidence`.
UNLIKE = (0.779, 22.423, -0.715, 9.817, -21.802)
