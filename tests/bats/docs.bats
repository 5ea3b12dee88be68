#!/usr/bin/env bats
# The documents against the tree: scripts/check-docs, reference and check-prose on trees that have what
# they must find (on this tree scripts/test runs them), the presets, the workflow and the hook.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
check=$root/scripts/check-docs

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	unset "${!GIT_@}"
}

# finds FAULT...: the output is exactly these lines.
finds() {
	run "$check" .
	echo "$output"
	((status == 1)) && [[ $output == "$(printf '%s\n' "$@")" ]]
}

@test "a link to a file or a heading that is not there" {
	mkdir docs
	printf '# One\n\n[a](docs/b.md) [c](docs/b.md#its-heading) [d](https://a.invalid/x)\n' >a.md
	printf '# Its heading\n' >docs/b.md
	"$check" .
	printf '[a](b.md) [b](../a.md#one) [c](../a.md#two) [d](#three)\n' >>docs/b.md
	"$check" . || true
	printf '[gone](gone.md)\n' >>docs/b.md
	finds 'docs/b.md:2: links to ../a.md#two, and a.md has no such heading' \
		'docs/b.md:2: links to #three, and docs/b.md has no such heading' \
		'docs/b.md:3: links to gone.md, which is not there'
}

@test "a line of the README or a message that is too wide" {
	mkdir tools
	words=$(printf 'x%.0s' {1..60})
	printf 'void tell(void)\n{\n\tmessage("%s "\n\t\t"%s");\n}\n' "$words" "${words:30}" >tools/tell.c
	echo "$words${words:20}" >README.md
	"$check" .
	echo "$words$words" >README.md
	sed -i 's/x");/xx");/' tools/tell.c
	finds 'README.md:1: 120 columns, more than 100' 'tools/tell.c:3: a message of 101 columns, more than 100'
}

@test "a file, a folder, a command or a function that is not there" {
	mkdir -p scripts core/base
	echo 'int text_add(void);' >core/base/text.h
	touch scripts/here
	# shellcheck disable=SC2016 # backquotes of Markdown
	printf '%s\n' '`core/base/text.h` `text.h` `core/base/` `core/*/text.h` `text_add()` `abort()`' \
		'`core/base/gone.h`' '`gone.c`' '`core/gone/`' '`text_gone()`' \
		'```console' '$ scripts/here && scripts/gone --quick' '```' >a.md
	echo '`here`' >scripts/README.md
	echo '`scripts/gpu-test --jobs 4`, a former name' | tee RESULTS.md >>a.md
	finds 'a.md:2: names core/base/gone.h, which is not there' \
		'a.md:3: names gone.c, which is not there' \
		'a.md:4: names core/gone/, which is not there' \
		'a.md:5: names text_gone(), which is not there' \
		'a.md:7: names scripts/gone, which is not there' \
		'a.md:9: names scripts/gpu-test, which is not there'
}

@test "a page that its table has outgrown is named, and written anew" {
	mkdir -p core/base tools/command tools/explain docs
	cp "$root/core/base/settings.def" core/base/
	cp "$root"/tools/command/{commands,exit_status}.def tools/command/
	cp "$root"/tools/explain/*.def tools/explain/
	cp "$root"/docs/{settings,commands,exit-statuses,explain}.md docs/
	"$root/scripts/reference" --check .
	# shellcheck disable=SC2016
	printf '%s\n' 'SETTING(a_b, "CULPRIT_A_B", "a-b", CHOICE, "off", "off|on",' \
		'	"Do \"this\", "' '	"and that")' >>core/base/settings.def
	echo 'EXIT_STATUS(GONE, 77, "run: the GPU is gone")' >>tools/command/exit_status.def
	run "$root/scripts/reference" --check .
	((status == 1))
	[[ $output == *'docs/settings.md: differs'*'docs/exit-statuses.md: differs'* ]]
	"$root/scripts/reference" .
	grep -qF 'Option `--a-b`, or variable `CULPRIT_A_B`.' docs/settings.md
	grep -qx 'Do "this", and that.' docs/settings.md
	grep -qxF '| 77 | `culprit run`: the GPU is gone |' docs/exit-statuses.md
}

@test "a number of entry points that is not the table's" {
	mkdir -p core/base
	printf '%s\n' 'DRIVER_CALL(cuInit, cuInit,' '	    (int flags))' 'DRIVER_CALL(cuTwo, cuTwo,' \
		>core/base/driver_calls.def
	mkdir docs
	echo 'It exports all 2 entry points.' >docs/how.md
	"$check" .
	echo 'It exports all 3 entry points.' >docs/how.md
	finds 'docs/how.md:1: tells of 3 entry points, driver_calls.def has 2'
}

@test "a page that the list of pages or the navigation of the site lacks" {
	mkdir -p docs/contributing
	touch docs/{named,new}.md docs/contributing/new.md
	echo '[named](named.md)' >docs/README.md
	echo '- README.md, named.md, contributing/new.md' >mkdocs.yml
	finds 'mkdocs.yml:1: does not name docs/new.md' 'docs/README.md:1: does not name docs/new.md'
}

@test "a test folder, a script, a lock, and an output that no document names" {
	mkdir -p tests/new scripts shim/record docs/contributing
	touch tests/new/a.c scripts/new scripts/part_of.py tests/README.md scripts/README.md
	touch docs/contributing/concurrency.md
	echo 'static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;' >shim/record/new.c
	printf '/*\n * 0 with *out_a, or *out_b.\n */\nint new_find(int *out_a);\n' >shim/record/new.h
	finds 'shim/record/new.h:2: no function has the output out_b' \
		'tests/README.md:1: does not name tests/new/' \
		'scripts/README.md:1: does not name scripts/new' \
		'docs/contributing/concurrency.md:1: does not name the lock of shim/record/new.c'
}

@test "sentences that break the rules of writing are found in each kind of file" {
	printf '/*\n * a.c - reads rows.\n *\n * Of a row the first\n * byte counts. Return 0.\n */\n' >a.c
	printf '/* a.def - rows. */\nROW("Wait for it. "\n    "Who waits is woken")\n' >a.def
	printf '#!/bin/bash\n# A thread lets its lock go when he is done.\necho "Of no comment"\n' >a.bash
	printf '"""Read rows.\n\nA row that has begun counts.\n"""\n' >a.py
	printf '## What to do\n\nWhat is it?\n\n```sh\n# Of a block\n```\n\n| Nor this one |\n' >a.md
	run "$root/scripts/check-prose" --list a.c a.def a.bash a.py a.md
	echo "$output"
	((status == 1))
	[[ $output == "$(printf '%s\n' 'a.c:4: opening: Of a row the first byte counts' \
		'a.def:2: opening: Who waits is woken' \
		'a.bash:2: person: A thread lets its lock go when he is done.' \
		'a.py:3: time: A row that has begun counts.' 'a.md:9: opening: Nor this one' \
		'5 places; the ceiling is 0')" ]]
}

@test "a commit whose subject is not plain is refused" {
	hook=$root/.githooks/commit-msg
	for subject in 'ring: freeze at the failure' 'docs, report: add pages' 'fixup! ring: frozen' \
		'ring: process what is left'; do
		printf '%s\n\nWhy.\n# a comment\n' "$subject" >message
		"$hook" message
	done
	for subject in 'freeze the ring' 'ring: froze.' 'ring: added a row' 'ring: adds a row' \
		'ring: Of a row the first' "ring: $(printf 'x%.0s' {1..70})"; do
		printf '%s\n' "$subject" >message
		run "$hook" message
		echo "$output"
		((status == 1))
	done
	printf 'ring: freeze\nat once\n' >message
	run "$hook" message
	((status == 1))
}

@test "a page whose command is refused, or fails, does not pass" {
	build=${CULPRIT_BUILD:-$root/build}
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	printf '```sh\nculprit run -- ./train model.bin\nculprit list\n```\n```console\n$ false\n```\n' >good.md
	CULPRIT_BUILD=$build "$root/scripts/check-commands" good.md
	printf '```sh\nculprit report --fromat json\n```\n' >refused.md
	printf '```sh\ngrep -q nothing model.bin\ntrue\n```\n' >failing.md
	for page in refused failing; do
		CULPRIT_BUILD=$build run "$root/scripts/check-commands" good.md $page.md
		echo "$output"
		[[ $status -eq 1 && $output == *"check-commands: $PWD/$page.md:"* ]]
	done
}

# A report without what differs between runs: numbers of the run, and how the GPU's progress was seen.
without_run() {
	sed -E '/^  evidence /,/^  in flight /{/^  in flight /!d}
		/^  because /d
		s/0x[0-9a-f]+/0xN/g; s/(pid |thread |process +|culprit-demo-)[0-9]+/\1N/g; s/[0-9]+ ms/N ms/
		s/child of .*, on .*/child of PARENT/; s/20[0-9-]+T[0-9:.]+Z/TIME/g'
}

# block N FILE: its Nth block of output.
block() {
	awk -v wanted="$1" '/^```/ { inside = $0 == "```console" && ++n == wanted; next } inside' "$2"
}

@test "the reports in docs/reading-a-report.md are what the demonstration prints, and README.md has the short one" {
	build=${CULPRIT_BUILD:-$root/build}
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	ln -s "$root/examples" . # sources have paths from the build folder
	mkdir work
	cd work
	cp "$build/bin/demo" .
	cp "$build/lib/simcuda-kernels/training.so" training.fatbin
	export CULPRIT_REPORT=short
	LD_LIBRARY_PATH=$build/lib/simcuda "$build/bin/culprit" run --report report -- ./demo training.fatbin || true
	"$build/bin/culprit" report -v ./culprit-demo-* >full
	diff <(block 1 "$root/docs/reading-a-report.md" | without_run) <(without_run <report)
	diff <(block 2 "$root/docs/reading-a-report.md" | without_run) <(without_run <full)
	diff <(block 1 "$root/README.md" | sed -n '/^error/,$p' | without_run) <(without_run <report)
}

@test "the presets can be read, and set only what the build knows" {
	command -v cmake >/dev/null || skip "cmake is not here"
	cmake -S "$root" --list-presets
	python3 -S - "$root" <<'END'
import json, pathlib, re, sys
root = pathlib.Path(sys.argv[1])
presets = json.loads((root / "CMakePresets.json").read_text())
lists = [root / "CMakeLists.txt", *root.glob("[!b]*/**/CMakeLists.txt"), *root.glob("cmake/*.cmake")]
text = " ".join(path.read_text() for path in lists)
known = set(re.findall(r"\b(?:CULPRIT_\w+|NVCC)\b", text))
used = {name for preset in presets["configurePresets"] for name in preset.get("cacheVariables", {})}
assert "CULPRIT_WERROR" in used
unknown = {name for name in used if not name.startswith("CMAKE_")} - known
assert not unknown, unknown
END
}

@test "the workflow is YAML, and runs scripts that are there" {
	python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml"
	python3 - "$root" <<'END'
import os, pathlib, sys, yaml
root = pathlib.Path(sys.argv[1])
for path in root.glob(".github/workflows/*.yml"):
    jobs = yaml.safe_load(path.read_text())["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert ".ci/run" in commands
    for command in commands:
        assert os.access(root / command.split()[0], os.X_OK), command
END
}

@test "the hook lets a tidy commit pass, and stops one that is not" {
	for tool in git ctags clang-format-14; do
		command -v "$tool" >/dev/null || skip "$tool is not here"
	done
	git -C "$root" ls-files -co --exclude-standard -z >files || skip "this tree is no git repository"
	mkdir copy
	tar -C "$root" --null -T files --ignore-failed-read -cf - 2>/dev/null | tar -C copy -xf -
	cd copy
	git init -q
	git config user.name tester
	git config user.email tester@example.invalid
	git add .
	git commit -qm 'the tree as it is'
	git config core.hooksPath .githooks
	printf '/*\n * new.c - nothing.\n */\nint new_value(void);\n\nint new_value(void)\n{\n\treturn 0;\n}\n' >shim/inspect/new.c
	git add .
	git commit -qm 'inspect: add nothing'
	printf 'int   new_other(void) {return 1;}\n' >>shim/inspect/new.c
	git add .
	run git commit -qm 'inspect: add it badly'
	echo "$output"
	((status == 1))
	[[ $output == *new.c*clang-format* ]]
}
