"""The command `culprit` of the wheel: becomes the program that the package brings.

`python -m culprit_cuda kernelspec` installs a Jupyter kernel instead.
"""

import os
import sys

from culprit_cuda.files import packaged


def main():
    program = packaged("bin", "culprit")
    if program is None:
        sys.exit("culprit: this package has no bin/culprit: install the wheel, not the sources")
    arguments = sys.argv[1:]
    if arguments[:1] == ["doctor"] and "--python" not in arguments:
        arguments[1:1] = ["--python", sys.executable]  # the interpreter of this environment
    os.execv(program, ["culprit", *arguments])


if __name__ == "__main__":
    if sys.argv[1:2] == ["kernelspec"]:
        from culprit_cuda import kernel_spec

        kernel_spec.main(sys.argv[2:])
    else:
        main()
