"""`python -m gauge.records <verb>`."""

from gauge.records import main

if __name__ == "__main__":
    main()
