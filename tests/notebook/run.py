"""Runs the cells of a file, which lines `# %%` separate, as a notebook, and prints it with all outputs.

usage: run.py FILE [KERNEL]

Ends with 0, whatever the cells raise. Needs nbclient and ipykernel.
"""

import re
import sys

import nbformat
from nbclient import NotebookClient

with open(sys.argv[1], encoding="utf-8") as text:
    sources = re.split(r"^# %%\n", text.read(), flags=re.MULTILINE)
book = nbformat.v4.new_notebook(
    cells=[nbformat.v4.new_code_cell(source.strip()) for source in sources if source.strip()])
NotebookClient(book, timeout=120, allow_errors=True,
               kernel_name=sys.argv[2] if len(sys.argv) > 2 else "python3").execute()
for cell in book.cells:
    print(f"--- In [{cell.execution_count}]\n{cell.source}")
    for output in cell.outputs:
        print(f"--- {output.output_type}")
        if output.output_type == "stream":
            print(output.text)
        elif output.output_type == "error":
            print(f"{output.ename}: {output.evalue}")
        else:
            for kind, value in output.data.items():
                print(f"{kind}:\n{value}")
