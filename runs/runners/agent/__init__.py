"""The agent: a program of the standard library only (Python 3.9), packed into one file and placed on a target.

It is started by one fixed string and reads what to do as JSON from its standard input, so that nothing a user wrote
ever passes a shell. A launched job leads a session of its own: it outlives the connection and the worker, keeps its
state in a folder, and is found again there.
"""
