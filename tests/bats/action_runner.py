"""Runs the steps of a composite action as GitHub's runner does, as far as action.yml needs it.

usage: action_runner.py ACTION.YML [INPUT=VALUE...]

Prints the action's outputs as NAME=VALUE in the file `outputs` of the current directory. Uploaded
artifacts are copied to `artifacts/NAME`, which must not exist. Exits as the first failed step did.
"""

import os
import re
import shutil
import subprocess
import sys

import yaml


class Runner:
    def __init__(self, path, given):
        with open(path, encoding="utf-8") as text:
            self.action = yaml.safe_load(text)
        self.root = os.path.dirname(os.path.abspath(path))
        self.values = {"github.action_repository": os.environ.get("TEST_REPOSITORY", ""),
                       "github.action_ref": os.environ.get("TEST_REF", ""),
                       "strategy.job-index": os.environ.get("TEST_INDEX", "0")}
        for name, facts in self.action["inputs"].items():
            self.values[f"inputs.{name}"] = given.pop(name, facts.get("default", ""))
        assert not given, f"no such inputs: {given}"
        self.status = 0
        self.path = os.environ["PATH"]

    def fill(self, text):
        """The text with the values of its expressions, which name a value each."""
        return re.sub(r"\$\{\{ ([a-z_.-]+) \}\}", lambda found: self.value(found[1]), str(text))

    def value(self, name):
        # An output that no step has set is empty, as on GitHub.
        return self.values.get(name, "") if name.startswith("steps.") else self.values[name]

    def is_due(self, step):
        condition = step.get("if")
        if condition is None:
            return self.status == 0
        found = re.fullmatch(r"\$\{\{ always\(\) && ([a-z_.]+) != '' \}\}", condition)
        return self.value(found[1]) != ""

    def run(self, step):
        files = {name: os.path.abspath(name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for path in files.values():
            open(path, "w", encoding="utf-8").close()
        variables = {name: self.fill(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.fill(step["run"])],
            env={**os.environ, **files, **variables, "PATH": self.path,
                 "GITHUB_ACTION_PATH": self.root}, check=False)
        with open(files["GITHUB_OUTPUT"], encoding="utf-8") as lines:
            for name, _, value in (line.rstrip("\n").partition("=") for line in lines):
                self.values[f"steps.{step.get('id')}.outputs.{name}"] = value
        with open(files["GITHUB_PATH"], encoding="utf-8") as lines:
            for line in lines:
                self.path = line.rstrip("\n") + ":" + self.path
        return done.returncode

    def upload(self, step):
        name, path = (self.fill(step["with"][key]) for key in ("name", "path"))
        assert not re.search(r'["<>|*?:\r\n\\/]', name), name
        shutil.copytree(path, os.path.join("artifacts", name))

    def steps(self):
        for step in self.action["runs"]["steps"]:
            if not self.is_due(step):
                continue
            if "uses" in step:
                self.upload(step)
            else:
                self.status = self.status or self.run(step)
        with open("outputs", "w", encoding="utf-8") as out:
            for name, facts in self.action["outputs"].items():
                print(f"{name}={self.fill(facts['value'])}", file=out)
        return self.status


if __name__ == "__main__":
    sys.exit(Runner(sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:])).steps())
