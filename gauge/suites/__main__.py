"""`python -m gauge.suites <verb>`."""

from gauge.suites import main

if __name__ == "__main__":
    main()
