"""Settings that pyproject.toml cannot hold: one wheel for every Python, for one kind of machine.
Run by scripts/wheel, which sets both variables."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class WithPrograms(Distribution):
    def has_ext_modules(self):
        return True


class OneForAll(bdist_wheel):
    def get_tag(self):
        return "py3", "none", os.environ["CULPRIT_PLATFORM"]


setup(
    version=os.environ["CULPRIT_VERSION"],
    distclass=WithPrograms,
    cmdclass={"bdist_wheel": OneForAll},
)
