"""IPython extension: charges a GPU failure to the cell that launched it, however late it is seen.

A sticky CUDA error ends the GPU's work for the whole kernel, and the cell that raises it need not be
the guilty one. Here each cell is a range of the process (culprit.h), named as IPython numbers it. The
report is shown below the cell that saw the failure, with the cell that launched.

    %load_ext culprit_cuda

The library must be in the kernel: `culprit run -- jupyter lab`, or a kernel of
culprit_cuda.kernel_spec. Where it is not, the extension says so and does nothing.
"""

import html
import os
from contextlib import ExitStack

from IPython.display import display

from culprit_cuda import library, verdict

DOMAIN = "ipython"

RESTART = "The GPU's work has ended for this kernel. Restart the kernel to use the GPU again."


def load(shell):
    """Watch the cells of the shell."""
    loaded = library.find()
    if loaded is None:
        print("culprit is not loaded: start Jupyter as `culprit run -- jupyter lab`, "
              "or install a kernel with `python -m culprit_cuda kernelspec`")
        return
    guard = Guard(shell, loaded)
    shell.events.register("pre_run_cell", guard.pre_run_cell)
    shell.events.register("post_run_cell", guard.post_run_cell)
    shell.culprit_guard = guard


def unload(shell):
    """Stop watching, if load() began."""
    guard = shell.__dict__.pop("culprit_guard", None)
    if guard:
        guard.ranges.close()
        shell.events.unregister("pre_run_cell", guard.pre_run_cell)
        shell.events.unregister("post_run_cell", guard.post_run_cell)


class Guard:
    """Watches the cells of one kernel."""

    def __init__(self, shell, loaded):
        self.shell = shell
        self.library = loaded
        self.ranges = ExitStack()
        self.n_cells = 0
        self.running = []  # messages of their ranges: a cell can run another one
        self.names = {}  # of finished cells, by the message of their range
        self.has_failed = False

    def pre_run_cell(self, _info):
        self.n_cells += 1
        message = f"cell {self.n_cells}"
        if not self.running:
            self.ranges.enter_context(self.library.range(DOMAIN, message))
        self.running.append(message)

    def post_run_cell(self, result):
        # Versions of IPython number a cell at its start or at its end.
        name = f"In [{result.execution_count}]" if result.execution_count else "an unnumbered cell"
        # The cell that loads the extension was not seen to start.
        if self.running:
            self.names[self.running.pop()] = name
        if not self.running:
            self.ranges.close()
        if self.has_failed:
            if not result.success:
                show(RESTART, f"<p>{html.escape(RESTART)}</p>")
            return
        failure = self.library.failure()
        if failure:
            self.has_failed = True
            show(*self.report(failure, name))

    def report(self, failure, seen_by):
        """The report as (text, HTML)."""
        text, facts = verdict.of_failure(failure)
        headline, *lines = self.with_cells(text, facts).rstrip().split("\n")
        who = who_launched(verdict.launchers(facts, DOMAIN, self.name), seen_by)
        body = "\n".join(lines)
        return (f"{headline}\n  {who}\n{body}\n{RESTART}",
                f"<p><b>{html.escape(headline)}</b><br>{html.escape(who)}</p>"
                f"<pre>{html.escape(body)}</pre><p>{html.escape(RESTART)}</p>")

    def name(self, message):
        return self.names.get(message, "a cell that still runs")

    def with_cells(self, text, facts):
        """The text with the cells' numbers in place of the files that IPython makes of them."""
        for path in set(files_in(facts)):
            name = self.shell.compile.format_code_name(path)
            if name:
                text = text.replace(path, name[1]).replace(os.path.basename(path), name[1])
        return text


def files_in(facts):
    """Generate the files of all frames."""
    if isinstance(facts, list):
        for entry in facts:
            yield from files_in(entry)
    elif isinstance(facts, dict):
        yield from files_in(list(facts.values()))
        if isinstance(facts.get("file"), str) and facts["file"]:
            yield facts["file"]


def who_launched(cells, seen_by):
    """Return a sentence on which cells launched and saw the failure."""
    known = [cell for cell in cells if cell]
    if len(cells) == 1 and known == [seen_by]:
        return f"launched and seen by {seen_by}"
    if len(cells) == 1 and known:
        return f"launched by {known[0]}, seen by {seen_by}"
    if known:
        return f"seen by {seen_by}, launched by one of " + ", ".join(known)
    return f"seen by {seen_by}; the cell that launched it is not known"


def show(text, page):
    display({"text/plain": text,
             "text/html": f'<div style="border-left: 4px solid #c00; padding-left: 1em">{page}</div>'},
            raw=True)
