#!/usr/bin/env bats
# `culprit trace`: traces as viewers read them. Perfetto's format is read with Perfetto's own classes,
# which scripts/make-clients installs.

load cli

check=$root/tests/bats/trace_check.py
perfetto=$build/clients/venv/bin/python

needs_perfetto() {
	"$perfetto" -c 'import perfetto' 2>/dev/null ||
		skip "Perfetto's Python package is not here: run scripts/make-clients"
}

# True of the trace of fail_on_simcuda: eleven submissions finished, the culprit, ten not started.
of_the_failure=(
	'[(e.name, e.end, e.notes["verdict"]) for e in events if e.category == "gpu.culprit"] == [("stray_store", None, "exact")]'
	'sum(e.category == "gpu.bounded" for e in events) == 11'
	'sum(e.category == "gpu.waiting" and e.track.endswith(", not started") for e in events) == 10'
	'[e.name for e in events if e.category == "failure"] == ["CUDA_ERROR_ILLEGAL_ADDRESS (700)"]'
	'{e.name for e in events if e.category == "host.submission"} == {"cuLaunchKernel", "cuMemsetD32_v2"}'
	'max(e.value for e in events if e.phase == "counter" and e.track.startswith("not known")) == 21'
	'[e.value for e in events if e.phase == "counter" and e.track == "device memory"] == [4096]'
	'all(e.notes["begin"] == "measured" for e in events if e.category == "host.submission")'
)

@test "trace: in Perfetto's format the culprit is a slice without end, with a complete stack" {
	needs_perfetto
	fail_on_simcuda --quiet
	culprit trace -o trace.pftrace
	[[ $status -eq 0 && -z $output && -z $stderr ]]
	"$perfetto" "$check" perfetto trace.pftrace "${of_the_failure[@]}" \
		'all([f[0] for f in e.stack].index("main") < [f[0] for f in e.stack].index("stray_store") for e in events if e.name == "stray_store")' \
		'any(f[0] == "main" and f[1].endswith("main.c") and f[2] > 0 for e in events for f in e.stack)'
}

@test "trace: the JSON format shows the same, with the journal's times" {
	fail_on_simcuda --quiet
	culprit trace --format chrome -o trace.json culprit-program-*
	[[ $status -eq 0 && -z $output && -z $stderr ]]
	python3 "$check" chrome trace.json "${of_the_failure[@]}" \
		'all("main.c:" in e.stack for e in events if e.name == "stray_store")'
	# The calls are drawn at their times in the journal.
	culprit dump --file ring culprit-program-*
	sed -nE 's/^ring.* submission call=.* time=([0-9]+)\.([0-9]+) .*/\1\2/p' <<<"$output" >calls
	python3 -S - <<-'END'
		import json
		rows = json.load(open("trace.json"))["traceEvents"]
		calls = [int(line) / 1000 for line in open("calls")]
		drawn = [row["ts"] for row in rows if row.get("cat") == "host.submission"]
		assert len(calls) == 22 and drawn == calls, (drawn, calls)
	END
}

@test "trace: shows several streams, arrows for waits between them, NVTX ranges and suspects" {
	"$make_bundle" mixed mixed
	"$make_bundle" failed failed
	culprit trace -f chrome -o mixed.json mixed
	[[ $status -eq 0 ]]
	python3 "$check" chrome mixed.json \
		'any(e.category == "nvtx" and e.end is not None for e in events)' \
		'sum(e.category == "gpu.suspect" for e in events) == 3' \
		'not any(e.category == "gpu.culprit" for e in events)'
	culprit trace -f chrome -o failed.json failed
	[[ $status -eq 0 ]]
	python3 "$check" chrome failed.json \
		'len({e.track for e in events if (e.category or "").startswith("gpu.")}) >= 3' \
		'any(len(e.flows) > 1 for e in events if (e.category or "").startswith("gpu."))'
	needs_perfetto
	for bundle in mixed failed; do
		culprit trace -o trace "$bundle"
		"$perfetto" "$check" perfetto trace 'len(events) > 10'
	done
}

@test "trace: handles a truncated, a hostile, a healthy and a missing bundle" {
	"$make_bundle" clean clean
	culprit trace -f chrome clean
	[[ $status -eq 0 ]]
	python3 "$check" chrome /dev/stdin 'not any(e.category == "failure" for e in events)' <<<"$output"
	cp -r clean cut
	truncate -s 700 cut/ring-0
	culprit trace -f chrome cut
	[[ $status -eq 4 ]]
	python3 "$check" chrome /dev/stdin <<<"$output"
	# A name with markup and a quote that is not valid UTF-8.
	"$make_bundle" failed hostile
	sed -i 's/scatter/"}\xff<\/b>/' hostile/strings
	culprit trace -f chrome -o hostile.json hostile
	[[ $status -eq 0 ]]
	python3 "$check" chrome hostile.json 'any("\"}?<" in (e.name or "") for e in events)'
	culprit trace nothing
	[[ $status -eq 3 ]]
	culprit trace clean cut
	complains 2 "culprit trace: 2 bundles given; name one of them"
	culprit trace --format svg clean
	[[ $status -eq 2 ]]
	culprit trace -o nowhere/trace clean
	[[ $status -eq 6 && ${#stderr_lines[@]} -eq 1 ]]
}
