"""The page: the box on a phone. A server in the box's own loop, and hand-written files it sends."""
