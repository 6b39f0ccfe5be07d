"""`python -m gauge.study`."""

if __name__ == "__main__":
    # Under its own name, so that a job can be handed to another process by reference.
    from gauge.study import main

    main()
