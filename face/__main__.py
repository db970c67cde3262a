"""`python -m halfpoint` is the command `halfpoint`."""

from halfpoint.cli import main

if __name__ == "__main__":
    main()
