"""What runs inside the rig, an emulated Pi-like machine: see docs/rig.md. Kept out of the normal suite."""
