"""The settings: one schema for the file, the command line, the page, the docs and the doctor.

A new setting is one field of its section's record: type, default, sentence, and whether the page may change it.
"""
