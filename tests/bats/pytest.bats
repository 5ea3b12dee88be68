#!/usr/bin/env bats
# The pytest plugin with real pytest and pytest-xdist: PyCUDA's tests on simcuda, from the
# environment that scripts/make-clients makes. The suites are in tests/pytest.

bats_require_minimum_version 1.5.0
load cli

clients=$build/clients
suites=$root/tests/pytest/suites

setup() {
	[[ -e $clients/fingerprint ]] ||
		skip "the Python clients are not here: run scripts/make-clients"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!PYTEST_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda PYTHONDONTWRITEBYTECODE=1
	export PYTHONPATH=$root/python PYTEST_PLUGINS=culprit_cuda.pytest_plugin
	export PATH=$root/tests/clients/simcuda:$PATH PYCUDA_DISABLE_CACHE=1
	cp "$suites"/*.py .
}

# tests STATUS ARGUMENT...: pytest on them, under culprit, in `out`.
tests() {
	local status=$1 ended=0
	shift
	"$culprit" run --report report.txt -- "$clients/venv/bin/python" -m pytest \
		-p no:cacheprovider "$@" >out 2>&1 || ended=$?
	cat out
	[[ $ended -eq $status ]]
}

# ended WORDS: the last line of pytest's own summary.
ended() {
	grep -qE "^=+ $1 in [0-9.]+s" out
}

# junit EXPRESSION: Python that is true of `cases`, the only <testcase> of each name, and of the
# suite's counts.
junit() {
	python3 -S - "$1" <<-'END'
		import sys, xml.etree.ElementTree as tree
		suite = tree.parse("junit.xml").find(".//testsuite")
		cases = {case.get("name"): case for case in suite.iter("testcase")}
		assert len(cases) == len(list(suite.iter("testcase"))), "a test appears twice"
		count = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
		failed = [name for name, case in cases.items() if case.find("failure") is not None]
		properties = {entry.get("name"): entry.get("value") for entry in
		              tree.parse("junit.xml").iter("property")}
		sys.exit(not eval(sys.argv[1]))
	END
}

@test "the test that launched fails, not the one that saw it, and the rest is skipped" {
	tests 1 sixty_pycuda.py --junitxml=junit.xml -rsf
	ended "1 failed, 21 passed, 38 skipped"
	grep -q '^FAILED sixty_pycuda.py::test_scatter\[17\]' out
	grep -q '^  launched by this test, seen by sixty_pycuda.py::test_scatter\[23\]$' out
	grep -q '^SKIPPED .*: launched by sixty_pycuda.py::test_scatter\[17\]$' out
	[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) .* - sixty_pycuda.py::test_scatter\[17\], launched by this test, seen by' out) == 1 ]]
	junit 'len(cases) == 60 and failed == ["test_scatter[17]"]'
	junit 'count == {"tests": 60, "failures": 1, "errors": 0, "skipped": 38}'
	line=$(grep -n 'self.kernel(self.out' sixty_pycuda.py | cut -d: -f1)
	junit "properties['culprit_verdict'] == 'exact' and properties['culprit_line'] == '$PWD/sixty_pycuda.py:$line'"
	junit 'properties["culprit_seen_by"].endswith("[23]")'
}

@test "under pytest-xdist the other tests pass in a fresh worker" {
	tests 1 sixty_pycuda.py -n 2 --junitxml=junit.xml
	ended "1 failed, 59 passed, 1 rerun"
	grep -q '^FAILED sixty_pycuda.py::test_scatter\[17\]' out
	[[ $(grep -c '^culprit: .* - sixty_pycuda.py::test_scatter\[17\], launched by this test, seen by' out) == 1 ]]
	junit 'len(cases) == 60 and failed == ["test_scatter[17]"]'
	junit 'count == {"tests": 60, "failures": 1, "errors": 0, "skipped": 0}'
}

@test "a scheduler of pytest-xdist that accepts no test back reruns it by itself" {
	tests 1 sixty_pycuda.py -n 1 --dist loadscope
	ended "1 failed, 59 passed, 1 rerun"
	grep -q '^FAILED sixty_pycuda.py::test_scatter\[17\]' out
}

@test "a test that swallows its own GPU failure fails" {
	tests 1 ways_pycuda.py -k "sound or swallows or looks"
	ended "1 failed, 1 passed, 1 deselected, 1 skipped" || ended "1 failed, 1 passed, 1 skipped, 1 deselected"
	grep -q '^FAILED ways_pycuda.py::test_swallows' out
	grep -q '^  launched and seen by this test$' out
}

@test "a swallowed failure in the last test of a worker is reported at the end too" {
	tests 1 ways_pycuda.py -n 1 -k "sound or swallows"
	ended "1 failed, 1 passed"
	grep -q '^culprit: .* - ways_pycuda.py::test_swallows, launched and seen by this test$' out
}

@test "a launch of a fixture belongs to the test that it was set up for" {
	tests 1 ways_pycuda.py -k "by_fixture or looks"
	grep -q '^FAILED ways_pycuda.py::test_by_fixture' out
}

@test "a launch outside all tests fails the test that saw it, and is said to belong to no test" {
	cp ways_pycuda.py ways_pycuda_at_import.py
	tests 1 ways_pycuda_at_import.py -k early
	grep -q '^FAILED ways_pycuda_at_import.py::test_early' out
	grep -q '^  seen by this test; which test launched it is not known$' out
}

@test "without the library the plugin says how to start, and does nothing" {
	run -1 "$clients/venv/bin/python" -m pytest -p no:cacheprovider sixty_pycuda.py
	[[ $output == *"culprit is not loaded: start pytest as \`culprit run -- python -m pytest"* ]]
	[[ $output == *"38 failed, 22 passed"* ]]
	run -4 "$clients/venv/bin/python" -m pytest -p no:cacheprovider --culprit require sixty_pycuda.py
	[[ $output == *"ERROR: culprit is not loaded"* ]]
}

@test "switched off it changes nothing" {
	tests 1 --culprit off sixty_pycuda.py
	ended "38 failed, 22 passed"
	run ! grep -q 'launched by this test' out
}

@test "without the command the failure is charged by its headline alone" {
	cp "$build/lib/libculprit.so" .
	run -1 env LD_PRELOAD="$PWD/libculprit.so" PATH="$PATH" "$clients/venv/bin/python" -m pytest \
		-p no:cacheprovider sixty_pycuda.py
	[[ $output == *"no report: the command culprit was not found"* ]]
	[[ $output == *"seen by this test; which test launched it is not known"* ]]
}
