"""transparency_tools - the other tools under which scripts/transparency runs programs, with culprit in
the process and without."""

import glob
import os
import re
import shutil

# Addresses, process and thread IDs, and a debugger's messages about threads that start and exit: the
# driver may start more of them for culprit's markers.
CHATTER = re.compile(r"^(\[(New|Thread|Switching)|Using host|warning: |\[Detaching|==+$|$)")
NUMBERS = re.compile(r"0x[0-9a-f]+|\(?process \d+\)?|LWP \d+|==\d+==")


def find_command(name):
    """Return the command's path. The toolkit's commands need not be in PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")


def without_chatter(text):
    lines = [NUMBERS.sub("N", line) for line in text.splitlines()]
    return "\n".join(line for line in lines if not CHATTER.match(line))


def why_not_emulated(name):
    """Return why a tool for this machine's processor cannot run the programs, or None if it can."""
    return f"{name} runs no program of an emulator" if os.environ.get("EMULATOR_SLOWDOWN") else None


class Tool:
    """A tool. `programs` are names of scripts/transparency. `most` is a pattern of further programs, which
    run without --quick. `records` is true if the recorder works in it: LD_PRELOAD reaches the program, and
    only the program."""

    name = ""
    programs = ["corpus/ok.linked", "corpus/stray_store.dlopen", "samples/captured_graph",
                "samples/threads"]
    most = "^$"
    records = True

    def __init__(self, build_dir):
        self.build_dir = build_dir

    def missing(self):
        """Return what this machine lacks for the tool, or None."""
        raise NotImplementedError

    def wrap(self, command, environment):
        """Return the command and environment that run the program under the tool."""
        raise NotImplementedError

    def clean(self, text):
        """Return the part of the output that is the same in every run."""
        return text


class Preloaded(Tool):
    """Another library in LD_PRELOAD, between the recorder and culprit."""

    def library(self):
        raise NotImplementedError

    def missing(self):
        return None if self.library() else f"no library of {self.name}"

    def wrap(self, command, environment):
        first, *others = environment["LD_PRELOAD"].split(":")
        preloaded = ":".join([first, self.library()] + others)
        return command, dict(environment, LD_PRELOAD=preloaded)


class Malloc(Preloaded):
    """An allocator that never returns zeroed memory, and overwrites freed memory."""

    name = "malloc"

    def library(self):
        path = f"{self.build_dir}/lib/libspoiling_malloc.so"
        return path if os.path.exists(path) else None


class Jemalloc(Preloaded):
    """An allocator with threads of its own, a look-up of pthread_create when it starts, and handlers
    of fork. Unless MALLOC_CONF says otherwise it fills memory with patterns, too."""

    name = "jemalloc"
    most = "^(corpus/.*[.]linked$|samples/|oracle/)"

    def library(self):
        paths = glob.glob("/usr/lib/x86_64-linux-gnu/libjemalloc.so.*")
        return paths[0] if paths else None

    def missing(self):
        return None if self.library() else "no libjemalloc.so (package libjemalloc2)"

    def wrap(self, command, environment):
        environment = dict({"MALLOC_CONF": "junk:true,background_thread:true"}, **environment)
        return super().wrap(command, environment)


class Asan(Tool):
    """A host built with the address sanitizer. Its runtime looks up functions before any constructor
    has run. Not for leaks: simcuda's memory is none that the leak checker can walk."""

    name = "asan"
    programs = ["samples/captured_graph", "samples/threads", "samples/spawned", "samples/errors"]

    def host(self):
        return f"{self.build_dir}/bin/samples-asan"

    def missing(self):
        return None if os.access(self.host(), os.X_OK) else f"{self.host()} is not built"

    def wrap(self, command, environment):
        return [self.host()] + command[1:], dict(environment, ASAN_OPTIONS="detect_leaks=0")


class Debugger(Tool):
    """The program alone gets the libraries: a debugger is a large program of its own."""

    name = "gdb"

    def missing(self):
        return why_not_emulated(self.name) if find_command(self.name) else f"no {self.name}"

    def wrap(self, command, environment):
        environment = dict(environment)
        preloaded = environment.pop("LD_PRELOAD")
        return [find_command(self.name), "-batch", "-nx", "-ex", "set startup-with-shell off",
                "-ex", f"set environment LD_PRELOAD={preloaded}",
                "-ex", "handle all nostop noprint pass", "-ex", "run", "--args"] + command, environment

    def clean(self, text):
        lines = without_chatter(text).splitlines()
        return "\n".join(line for line in lines if "environment variable \"LD_PRELOAD\"" not in line)


class CudaDebugger(Debugger):
    """Runs only clean programs: its messages about a fault have numbers that differ in each run."""

    name = "cuda-gdb"
    programs = ["corpus/ok.linked", "samples/captured_graph"]
    records = False


class Prefix(Tool):
    """A command in front of the program's."""

    records = False
    arguments = []

    def missing(self):
        return None if find_command(self.name) else f"no {self.name}"

    def wrap(self, command, environment):
        return [find_command(self.name)] + self.arguments + command, environment

    def clean(self, text):
        return without_chatter(text)


class Valgrind(Prefix):
    """Programs on simcuda that run under it without culprit. Its search for leaks takes half a minute
    at the end to walk the rings, which are mapped whole."""

    name = "valgrind"
    arguments = ["-q", "--leak-check=no"]
    programs = ["samples/vector_add", "samples/errors"]

    def missing(self):
        return super().missing() or why_not_emulated(self.name)


class ComputeSanitizer(Prefix):
    name = "compute-sanitizer"
    programs = ["corpus/ok.linked", "samples/captured_graph", "samples/vector_add"]


class Cupti(Tool):
    """A CUPTI subscriber that the driver loads: CUPTI allows one, and culprit is none."""

    name = "cupti"

    def find(self):
        folders = ["extras/CUPTI/lib64", "targets/x86_64-linux/lib"]
        paths = [path for folder in folders
                 for path in glob.glob(f"/usr/local/cuda*/{folder}/libcupti.so*")]
        return sorted(paths)[0] if paths else None

    def missing(self):
        return None if self.find() else "no libcupti.so"

    def wrap(self, command, environment):
        return command, dict(
            environment, CUPTI_LIBRARY=self.find(),
            CUDA_INJECTION64_PATH=f"{self.build_dir}/lib/libcupti_subscriber.so")


SIMCUDA_TOOLS = [Malloc, Jemalloc, Asan, Debugger, Valgrind]
GPU_TOOLS = [Malloc, Jemalloc, Debugger, CudaDebugger, ComputeSanitizer, Cupti]


def tools_for(driver, build_dir, wanted):
    """The tools of that driver, those of a comma-separated list where one is given."""
    tools = [tool(build_dir) for tool in (SIMCUDA_TOOLS if driver == "simcuda" else GPU_TOOLS)]
    names = wanted.split(",") if wanted else [tool.name for tool in tools]
    return [tool for tool in tools if tool.name in names]
