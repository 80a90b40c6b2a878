"""`python -m tfnmt` is `tfnmt`."""

from tfnmt.zoo.main import main

if __name__ == "__main__":
    main()
