"""Where the library and the command are: in this package, or where this process was given them."""

import os
import shutil
from importlib import metadata

FOLDER = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "libculprit.so"


def packaged(*parts):
    """The path of a file that the wheel brought, or None: the package may be a plain checkout."""
    path = os.path.join(FOLDER, *parts)
    return path if os.path.exists(path) else None


def preloaded():
    """The path of the library as LD_PRELOAD names it, or None."""
    for path in os.environ.get("LD_PRELOAD", "").replace(" ", ":").split(":"):
        if os.path.basename(path) == LIBRARY:
            return path
    return None


def command():
    """The path of the command that belongs to the library of this process, or None."""
    library = preloaded()
    beside = library and os.path.join(os.path.dirname(library), "..", "bin", "culprit")
    if beside and os.access(beside, os.X_OK):
        return os.path.normpath(beside)
    return packaged("bin", "culprit") or shutil.which("culprit")


def has_namesake():
    """Is another project's distribution `culprit` installed? It brings a command of this name too."""
    try:
        metadata.distribution("culprit")
    except metadata.PackageNotFoundError:
        return False
    return True
