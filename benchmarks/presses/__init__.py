"""Whole games at a simulated table, and how many presses they take."""
