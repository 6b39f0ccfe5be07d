"""`python -m gauge.train`."""

from gauge.train.command import main

if __name__ == "__main__":
    main()
