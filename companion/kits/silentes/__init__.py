"""Silentes's kit: everything the game brings beside its rules."""
