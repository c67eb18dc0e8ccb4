"""The verbs of the command line, one module for each topic.

A module offers `register(app)`; it imports heavy packages inside its functions, so that `--help` is quick.
"""

from types import ModuleType

from companion.commands import demo, eye, lessons, panel, rules, service, table

COMMANDS: tuple[ModuleType, ...] = (table, demo, lessons, rules, panel, eye, service)
