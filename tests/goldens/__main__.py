"""Write the golden playthroughs and perft counts anew."""

from tests.goldens import write

if __name__ == "__main__":
    write()
