"""`python -m halfpoint` is the command `halfpoint`."""

from halfpoint.apps.cli import main

if __name__ == "__main__":
    main()
