"""The report on a bundle, as `culprit report` gives it."""

import json
import os
import subprocess
from dataclasses import dataclass

from culprit_cuda import files

# A bundle of 65,536 records and a big program's debug information are read in a few seconds.
SECONDS = 120


@dataclass(frozen=True)
class Report:
    text: str  # for people
    facts: dict  # the JSON of one bundle


class NoReport(Exception):
    """There is no command, or it could not read the bundle: the text says which."""


def _run(arguments):
    command = files.command()
    if command is None:
        raise NoReport("the command culprit was not found")
    # The command is no CUDA program: it needs no culprit itself.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        done = subprocess.run(
            [command, "report", *arguments], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as trouble:
        raise NoReport(str(trouble)) from trouble
    if not done.stdout:
        raise NoReport(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


def of_bundle(bundle):
    """The Report on the bundle of that path; raises NoReport."""
    facts = json.loads(_run(["--format", "json", bundle]))
    return Report(_run([bundle]), facts[0] if isinstance(facts, list) else facts)


def of_failure(failure):
    """(text, facts) for the failure of this process: the report, or else the headline and no facts."""
    if not failure.bundle:
        return failure.headline, {}
    try:
        report = of_bundle(failure.bundle)
    except NoReport as trouble:
        return f"{failure.headline}\n  no report: {trouble}\n", {}
    return report.text, report.facts


def ranges(suspect, domain):
    """The texts of the NVTX ranges of that domain in which the suspect was launched."""
    return [entry["text"] for entry in suspect.get("nvtx", [])
            if entry["domain"] == domain and entry["text"]]


def launchers(facts, domain, known):
    """Apply `known` to the texts of the suspects' ranges of the domain, and list equal results once.
    The list has None if a suspect has no range, or is not listed."""
    found = {}
    for suspect in facts.get("suspects", []):
        texts = ranges(suspect, domain)
        found[known(texts[-1]) if texts else None] = True
    if facts.get("n_suspects", 0) > len(facts.get("suspects", [])):
        found[None] = True
    return list(found)


def user_place(suspect):
    """(file, line) of the innermost frame of the user's own code, Python first; or None."""
    for frame in suspect.get("python_stack") or []:
        if frame["origin"] == "user" and frame["line"]:
            return frame["file"], frame["line"]
    for frame in suspect.get("stack") or []:
        if not frame["plumbing"] and frame["file"] and frame["line"]:
            return frame["file"], frame["line"]
    return None
