#!/usr/bin/env bats
# Formats that build servers read: JUnit XML, SARIF, GitLab code quality, GitHub annotations.

load cli

is_as() {
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/tests/schemas/$1.json" "$2"
}

@test "report: formats of build servers are as published, with a finding and with none" {
	generated=$PWD/ab/cab234567abcdefghijklmnopqrstuvwxyz234567abc.py
	mkdir ab
	printf 'x = 1\n# %%a : f32 = call()\n\ny = 2\n' >"$generated"
	"$make_bundle" python python "$generated"
	"$make_bundle" failed failed
	cp -r failed again
	sed -i 's/"pid": 1234/"pid": 99/' again/meta.json
	"$make_bundle" clean clean
	for format in sarif gitlab; do
		culprit report --format $format --output $format.json python failed again clean
		[[ $status -eq 1 && -z $stderr ]]
		is_as $format $format.json
		culprit report --format $format --output none.json clean
		is_as $format none.json
	done
	[[ $(<none.json) == '[]' ]]
	python3 -S -c '
import json
run = json.load(open("sarif.json"))["runs"][0]
issues = json.load(open("gitlab.json"))
assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["CUDA700"], run
first, second = run["results"]
physical = first["locations"][0]["physicalLocation"]
assert physical["artifactLocation"] == {"uri": "train.py", "uriBaseId": "%SRCROOT%"}, physical
assert physical["region"]["startLine"] == 14, physical
assert first["message"]["text"] == (
    "error[700]: illegal memory access: math::scatter<float> wrote 64 KiB past the end of allocation #3 [exact]"), first
related = [(one["message"]["text"], one["physicalLocation"]["region"]["startLine"]) for one in first["relatedLocations"]]
assert related == [("allocated", 14), ("seen", 14)], related
assert first["message"]["text"] == issues[0]["description"], issues
assert second["occurrenceCount"] == 2 and first["occurrenceCount"] == 1, second
assert issues[0]["location"] == {"path": "train.py", "lines": {"begin": 14}}, issues
assert [issue["fingerprint"] for issue in issues] == [
    result["partialFingerprints"]["culprit/v1"] for result in run["results"]], issues
'
	culprit report --format junit --output junit.xml python failed again clean
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" junit.xml) == "2 2" ]]
	culprit report --format junit --output none.xml clean
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" none.xml) == "1 0" ]]
	culprit report --format github python failed again clean
	[[ ${#lines[@]} -eq 2 ]]
	[[ ${lines[0]} == '::error file=train.py,line=14,title=CUDA_ERROR_ILLEGAL_ADDRESS::error[700]: '*%0A*'  --> train.py:14 '* ]]
	[[ ${lines[1]} == '::error title=CUDA_ERROR_ILLEGAL_ADDRESS::error[700]: '* ]]
}

@test "report: as Markdown, with the headline, the place, and the report folded" {
	printf 'def buggy():\n' >generated.py
	"$make_bundle" python python "$PWD/generated.py"
	"$make_bundle" failed failed
	cp -r failed again
	sed -i 's/"pid": 1234/"pid": 99/' again/meta.json
	culprit report --format markdown python failed again
	[[ $(grep -c '^### `error\[700\]: illegal memory access: .* \[exact\]`$' <<<"$output") -eq 2 ]]
	grep -qE '^- at `.*/generated.py`, line 4, in `call`$' <<<"$output"
	[[ $(grep -c '^- 1 more of the same$' <<<"$output") -eq 1 ]]
	[[ $(grep -c '^- fingerprint `[0-9a-f]*`$' <<<"$output") -eq 2 ]]
	[[ $(grep -cE '^(```text|```|<details><summary>The full report</summary>|</details>)$' <<<"$output") -eq 12 ]]
	# A name with backticks is still code, and nothing else of it is Markdown.
	python3 -S - <<-'PY'
		bytes = open("failed/strings", "rb").read()
		assert b"_ZN4math7scatter" in bytes
		open("failed/strings", "wb").write(bytes.replace(b"_ZN4math7scatter", b"``<b>`*x_*_**[y]"))
	PY
	culprit report --format markdown failed
	grep -q '^### ```` error.* ````$' <<<"$output"
	"$make_bundle" clean clean
	culprit report --format markdown clean
	[[ -z $output ]]
}

# The checks are useless unless they see what is wrong.
@test "the checks of these formats detect an invalid report" {
	echo '{"version": "2.0.0", "runs": [{"tool": {}, "results": [{"level": "bad"}]}]}' >bad.json
	run is_as sarif bad.json
	[[ $status -eq 1 && $output == *"runs[0].tool lacks driver"* && $output == *"not '2.1.0'"* ]]
	echo '[{"description": "x", "location": {"path": "./x"}}]' >bad.json
	run is_as gitlab bad.json
	[[ $status -eq 1 && $output == *"lacks fingerprint"* && $output == *"location lacks lines"* ]]
	echo '<testsuites><testsuite name="a" tests="2" failures="0" errors="0"><testcase name="b"><x/></testcase></testsuite></testsuites>' >bad.xml
	run python3 -S "$BATS_TEST_DIRNAME/junit_check.py" bad.xml
	[[ $status -eq 1 && $output == *"testcase lacks classname"* && $output == *"x within testcase"* && $output == *"counts are (1, 0)"* ]]
}

@test "names of others cannot break out of a format" {
	"$make_bundle" failed odd
	python3 -S - <<-'PY'
		bytes = open("odd/strings", "rb").read()
		bytes = bytes.replace(b"/home/user/train", b"/x<&\"%]]>:,\x1b\n::y"[:16])
		open("odd/strings", "wb").write(bytes)
	PY
	sed -i 's/"program": "train"/"program": "<a b=\\"c\\">\&%0A::error::x"/' odd/meta.json
	culprit report --format junit --output junit.xml odd
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" junit.xml) == "1 1" ]]
	culprit report --format sarif --output sarif.json odd
	is_as sarif sarif.json
	culprit report --format gitlab --output gitlab.json odd
	is_as gitlab gitlab.json
	culprit report --format github odd
	[[ ${#lines[@]} -eq 1 && $output != *$'\e'* ]]
}

@test "run: --junit, --sarif and --gitlab mark the user's line, and are there without a failure too" {
	fail_on_simcuda --quiet --junit junit.xml --sarif sarif.json --gitlab gitlab.json
	[[ -z $stderr ]]
	is_as sarif sarif.json
	is_as gitlab gitlab.json
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" junit.xml) == "1 1" ]]
	grep -q 'type="CUDA700" message="error\[700\]: illegal memory access: stray_store.* \[exact\]"' junit.xml
	python3 -c '
import json
location = json.load(open("gitlab.json"))[0]["location"]
assert location["path"].endswith("faults.c") and location["lines"]["begin"] > 1, location
'
	culprit run --junit junit.xml --sarif sarif.json --gitlab gitlab.json sh -c 'exit 3'
	[[ $status -eq 3 && -z $stderr && $(<gitlab.json) == '[]' ]]
	is_as sarif sarif.json
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" junit.xml) == "1 0" ]]
	culprit run --junit /nonexistent/x true
	complains 0 "culprit run: /nonexistent/x: No such file or directory"
}

@test "run: a JUnit case has the same name in every run" {
	fail_on_simcuda --junit first.xml
	fail_on_simcuda --junit second.xml
	for file in first second; do
		sed -n 's/.*<testcase \([^>]*\)>.*/\1/p' $file.xml >$file
	done
	[[ $(<first) == "$(<second)" ]]
	[[ $(<first) =~ ^classname=\"program\"\ name=\"CUDA_ERROR_ILLEGAL_ADDRESS\ in\ [a-z_]+,\ .*faults\.c\ \[[0-9a-f]{16}\]\"\ time=\"0\"$ ]]
}

@test "run: in a GitHub workflow the line is annotated and the step has a page, by themselves" {
	fail_on_simcuda
	[[ $stderr != *::error* ]]
	source=$(culprit report -f gitlab; python3 -S -c 'import json, sys; print(json.load(sys.stdin)[0]["location"]["path"])' <<<"$output")
	rm -r culprit-program-*
	export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/summary.md
	echo before >summary.md
	# Where the checkout has the file, it is named from there.
	[[ $source != /* ]] || export GITHUB_WORKSPACE=${source%/*}
	fail_on_simcuda
	grep -Eq '^::error file=.*faults\.c,line=[0-9]+,title=CUDA_ERROR_ILLEGAL_ADDRESS::error\[700\]: ' <<<"$stderr"
	[[ $source != /* ]] || grep -q '^::error file=faults.c,' <<<"$stderr"
	[[ $(sed -n 2p summary.md) == '### `error[700]: illegal memory access: stray_store [exact]`' ]]
	grep -q '^  --> faults.c:' summary.md
	culprit run true
	[[ -z $stderr && $(grep -c '^###' summary.md) -eq 1 ]]
	unset GITHUB_ACTIONS
	fail_on_simcuda --github
	[[ $stderr == *::error* && $(grep -c '^###' summary.md) -eq 2 ]]
}

# obeyed FILE: lines that a build server would take for its commands.
obeyed() {
	grep -E '^[[:space:]]*::|##\[|##vso\[' "$1"
}

@test "a bundle's text is never a command for a build server" {
	mkdir bundles
	"$make_bundle" failed bundles/culprit-a-1
	python3 -S - <<-'END'
		import json
		path = "bundles/culprit-a-1/meta.json"
		meta = json.load(open(path))
		meta.update(start_time="::error::a", program="##[error]b", hostname="##vso[task.complete]c",
		            command=["::stop-commands::d", "##[e"], realtime_ns=0)
		json.dump(meta, open(path, "w"))
	END
	cp -r bundles/culprit-a-1 bundles/culprit-b-2
	rm bundles/culprit-b-2/failure
	printf '%s\n' 'culprit: CUDA_ERROR (700) — exact: launch #1' '::error::f' '   ::g::h' 'i ##[j' '##vso[k' \
		>bundles/culprit-b-2/verdict.txt
	local command
	for command in report list "list --format tsv" "dump -F threads" status; do
		# shellcheck disable=SC2086 # words are wanted
		"$culprit" $command bundles/culprit-* >>said 2>&1 || true
	done
	CULPRIT=$culprit "$root/scripts/triage/culprit-group-bundles" bundles >>said 2>&1 || true
	cat said
	grep -q '?:error::f' said
	grep -q '?#\[error\]b\|?#\[' said
	run ! obeyed said
	# And those of the command's processes.
	cat >tell.py <<-'END'
		import os, struct
		run = os.environ["CULPRIT_RUN"].split(".")
		slot = os.open(f"/proc/{run[1]}/fd/{run[-1]}", os.O_RDWR)
		text = b"culprit: a\n::error::x\n##[y\n"
		capacity, = struct.unpack("I", os.pread(slot, 4, 8))
		os.pwrite(slot, struct.pack("I", 1), 12)
		os.pwrite(slot, text, -(-(4096 + 32 * capacity) // 65536) * 65536)
		os.pwrite(slot, struct.pack("IIQQII", os.getpid(), 0, 0, 1, len(text), 0), 4096)
		raise SystemExit(1)
	END
	culprit run python3 tell.py
	[[ $status -eq 1 && $stderr == *"?:error::x"* ]]
	echo "$stderr" >told
	run ! obeyed told
}
