"""`python -m gauge.models <verb>`."""

from gauge.models.command import main

if __name__ == "__main__":
    main()
