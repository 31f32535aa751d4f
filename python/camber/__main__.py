"""``python -m camber``: the program."""

from camber.process import main

main()
