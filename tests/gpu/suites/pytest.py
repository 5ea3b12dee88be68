"""The pytest plugin: sixty PyTorch tests, of which number 17 launches what breaks the others.

They run without and with pytest-xdist. Writes a line for each run to OUT/PYTEST.md, and the output of
a run that differs to OUT/pytest-NAME.log.
Exit status: 0 each run was as it should be, 1 otherwise.
"""

import os
import re
import shutil
import tempfile

import suite

KINDS = {
    "plain": ("1 failed, 21 passed, 38 skipped", []),
    "xdist": ("1 failed, 59 passed, 1 rerun", ["-n", "2"]),
}


def run(options, name, folder):
    expected, arguments = KINDS[name]
    environment = suite.environment(options, PYTHONPATH=os.path.join(suite.ROOT, "python"),
                                    PYTEST_PLUGINS="culprit_cuda.pytest_plugin")
    command = suite.culprit(options, "run", "--quiet", "--dir", "bundles", "--", "python3", "-m", "pytest",
                            "-p", "no:cacheprovider", "sixty_torch.py", *arguments)
    done = suite.run(command, 600, cwd=folder, env=environment)
    output = done.out + done.err
    summary = (re.findall(r"\d+ failed.* in [0-9.]+s", output) or ["-"])[-1]
    line = (re.findall(r"^culprit: .* - [^ ]*, launched by this test.*", output, re.MULTILINE) or ["-"])[0]
    is_right = summary.startswith(expected) and "test_gather[17], launched by this test" in line
    if not is_right:
        with open(os.path.join(options.out, f"pytest-{name}.log"), "w") as file:
            file.write(output)
    return [name, summary, "same" if is_right else "DIFFERS", line]


def main():
    options = suite.parse(suite.make_parser(__doc__, runs=3))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(suite.ROOT, "tests", "pytest", "suites", "sixty_torch.py"), folder)
        rows = [run(options, name, folder) for _ in range(options.runs) for name in KINDS]
    table = suite.table(["run", "summary", "", "root cause"], rows)
    print(suite.write(options, "PYTEST.md", "pytest", table), end="")
    return 1 if any(row[2] != "same" for row in rows) else 0
