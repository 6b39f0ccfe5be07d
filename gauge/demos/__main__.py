"""`python -m gauge.demos <verb>`."""

from gauge.demos.command import main

if __name__ == "__main__":
    main()
