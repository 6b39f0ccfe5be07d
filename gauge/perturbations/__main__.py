"""`python -m gauge.perturbations list|show`."""

from gauge.perturbations import main

if __name__ == "__main__":
    main()
