"""`python -m salon` is the command `salon`."""

from salon.cli import main

if __name__ == "__main__":
    main()
