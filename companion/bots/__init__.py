"""Policies that play from what a seat can see, nature's seeded hand, and the simulator."""
