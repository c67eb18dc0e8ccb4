"""What the record lives through: kills, power cuts and damage, many of each."""
