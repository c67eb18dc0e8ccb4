"""Write the golden playthroughs and perft counts anew."""

from tests.goldens import write

write()
