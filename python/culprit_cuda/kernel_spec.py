"""Install a Jupyter kernel that starts with the library and the extension culprit_cuda.notebook.

The kernel has the variables of `culprit env`. `culprit run` would be the kernel's parent, and a
kernel watches its parent.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from culprit_cuda import files


def variables(command):
    """Return what `culprit env` sets, as a dictionary."""
    lines = subprocess.run(
        ["/bin/sh", "-c", 'eval "$("$0" env)" && exec env -0', command],
        env={}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout.decode()
    pairs = (line.split("=", 1) for line in lines.split("\0") if line)
    return {name: value for name, value in pairs if name not in ("PWD", "OLDPWD", "SHLVL", "_")}


def spec(command, display_name):
    """The contents of kernel.json."""
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}",
                 "--IPKernelApp.extra_extensions=culprit_cuda"],
        "display_name": display_name,
        "language": "python",
        "metadata": {"debugger": True},
        # The extension shows the report.
        "env": {**variables(command), "CULPRIT_QUIET": "1"},
    }


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m culprit_cuda kernelspec",
        description="Install a Jupyter kernel of this Python that starts with culprit.")
    parser.add_argument("--name", default="culprit", help="name of the kernel (default: culprit)")
    parser.add_argument("--display-name", default="Python 3 (culprit)", metavar="TEXT",
                        help="name in menus (default: Python 3 (culprit))")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--sys-prefix", action="store_const", const=sys.prefix, dest="prefix",
                       help="install into this Python's environment, not for the user")
    where.add_argument("--prefix", help="install into share/jupyter/kernels of this folder")
    options = parser.parse_args(arguments)
    try:
        from jupyter_client.kernelspec import KernelSpecManager
    except ImportError:
        sys.exit("culprit: jupyter_client is not installed in this Python: pip install ipykernel")
    command = files.command()
    if command is None:
        sys.exit("culprit: the command culprit was not found")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as out:
            json.dump(spec(command, options.display_name), out, indent=1)
        print(KernelSpecManager().install_kernel_spec(
            folder, options.name, user=options.prefix is None, prefix=options.prefix))
