"""`python -m gauge.validate`."""

from gauge.validate import main

if __name__ == "__main__":
    main()
