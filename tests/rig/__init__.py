"""What runs inside the rig, an emulated Pi-like machine: see docs/dev/rig.md. Kept out of the normal suite."""
