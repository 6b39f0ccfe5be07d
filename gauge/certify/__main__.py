"""`python -m gauge.certify`."""

from gauge.certify import main

if __name__ == "__main__":
    main()
