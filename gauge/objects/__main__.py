"""`python -m gauge.objects <verb>`."""

from gauge.objects import main

if __name__ == "__main__":
    main()
