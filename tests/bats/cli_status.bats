#!/usr/bin/env bats
# `culprit status`: what a running process is doing on the GPU, seen from another process; and its
# messages about processes that it cannot inspect.

load robust

# hang WAY: start a host that hangs in this way; its process ID is in $pid, its output in the file out.
hang() {
	teardown
	rm -rf out bundles/*
	CULPRIT_RUN=$own_run ROBUST_HANG=$1 LD_PRELOAD=$shim "$robust" hangs >out 2>err 3>&- &
	pid=$!
	until grep -qs ready out; do kill -0 "$pid"; done
}

end() {
	kill_hosts "$pid"
}

# looks PATTERN: ask for the status of $pid until it matches: the host prints its last line some time
# before it enters the call that waits.
looks() {
	local end=$((SECONDS + 300))
	while ((SECONDS < end)); do
		"$culprit" status "$pid" >status.txt
		! grep -Eq -- "$1" status.txt || return 0
	done
	cat status.txt
	return 1
}

sees() {
	grep -Eq -- "$1" status.txt || { cat status.txt && false; }
}

@test "status: shows a kernel that never finishes, after 200 launches, and the stream that waits for it" {
	hang kernel
	looks ': in cuStreamSynchronize on stream 0x[0-9a-f]+ for '
	sees "^culprit: process $pid: 2 streams at work, 1 thread is in a call$"
	sees 'finished #232, runs #233 spin<<<\(1,1,1\),\(1,1,1\)>>>, started at most [0-9]+ ms ago$|finished #232, runs #233 spin<<<\(1,1,1\),\(1,1,1\)>>>, started at most [0-9.]+ s ago$'
	sees '^    from            host.c:[0-9]+ host_spin  <- hangs.c:[0-9]+ spin_for_ever'
	sees '^    after it        5 submissions, the newest #238$'
	sees 'finished #32, waits for an event of stream 0x[0-9a-f]+ after #238, before #239 fill'
	# The thread that answers is visible by its name only.
	[[ $(cat "/proc/$pid/task/"*/comm | grep -c '^culprit$') == 1 ]]
	"$culprit" status --format json "$pid" | python3 -S -c '
import json, sys
status = json.load(sys.stdin)
streams = {s["state"]: s for s in status["streams"]}
assert status["state"] == "runs" and status["words"], status
assert streams["runs"]["proven"] and streams["runs"]["submission"] == 233, status
assert streams["runs"]["name"] == "spin" and streams["runs"]["grid"] == [1, 1, 1], status
assert streams["event"]["waits_for"] == {"stream": streams["runs"]["id"], "submission": 238}
assert [t["call"] for t in status["threads"]] == ["cuStreamSynchronize"], status
assert status["threads"][0]["stream"] == streams["event"]["id"], status'
	end
}

@test "status: shows a host function, a wait for a value in memory, a full queue, and an idle GPU" {
	hang function
	looks 'finished #232, is at the host function #233 cuLaunchHostFunc, submitted'
	end
	hang circle
	looks 'finished #232, waits for a value in memory, #233 cuStreamWaitValue32'
	sees 'finished #32, waits for an event of stream 0x[0-9a-f]+ after #234, before #235 fill'
	end
	SIMCUDA_QUEUE_DEPTH=300 hang launch
	looks ': in cuLaunchKernel of #[0-9]+ on stream 0x[0-9a-f]+ for '
	sees 'runs #233 spin'
	end
	hang host
	looks "^culprit: process $pid: it has no unfinished GPU work$"
	end
}

@test "status: claims less without the driver's progress counters" {
	CULPRIT_PROGRESS=off hang kernel
	looks 'not known to have finished #[0-9]+ '
	"$culprit" status --format json "$pid" >status.json
	run ! grep -q '"proven": true, "finished": [0-9]*, "submission": 233' status.json
	end
}

@test "status: concurrent snapshots are each consistent and do not disturb the host" {
	hang kernel
	local i pids=()
	for i in {1..4}; do
		(for _ in {1..10}; do "$culprit" status --format json "$pid"; done >"many.$i") &
		pids+=($!)
	done
	wait "${pids[@]}"
	[[ $(cat many.* | grep -c '"state": "runs", "time_ns": [0-9]*, "words": true') == 40 ]]
	# No descriptor of ours is the host's.
	[[ -z $(find "/proc/$pid/fd" -lname '*culprit*') ]]
	end
}

@test "status: names a process that is stopped, killed, missing, another user's, or without culprit or GPU" {
	hang kernel
	kill -STOP "$pid"
	looks "^culprit: process $pid is stopped by a signal or a debugger: "
	kill -CONT "$pid"
	looks "^culprit: process $pid: 2 streams at work"
	end
	"$culprit" status bundles/* >status.txt
	sees "^culprit: process $pid has exited or is not visible from here: 2 streams had unfinished work"
	run --separate-stderr "$culprit" status 99999999
	[[ $status -eq 10 && $stderr == "culprit status: process 99999999: no such process; "* ]]
	run --separate-stderr "$culprit" status $$
	[[ $status -eq 10 && $stderr == "culprit status: process $$ was started without culprit" ]]
	LD_PRELOAD=$shim sleep 100 3>&- &
	pid=$!
	until grep -q libculprit "/proc/$pid/maps"; do kill -0 "$pid"; done
	run --separate-stderr "$culprit" status "$pid"
	[[ $status -eq 10 && $stderr == "culprit status: process $pid has not used the GPU yet, or is not recording" ]]
	end
	((EUID != 0)) || setpriv --reuid=65534 --clear-groups true 2>/dev/null || return 0
	if ((EUID == 0)); then
		setpriv --reuid=65534 --clear-groups sleep 100 3>&- &
		pid=$!
		until [[ $(stat -c %u "/proc/$pid") == 65534 && $(<"/proc/$pid/comm") == sleep ]]; do kill -0 "$pid"; done
		run --separate-stderr "$culprit" status "$pid"
		end
		[[ $status -eq 10 && $stderr == "culprit status: process $pid belongs to another user" ]]
	fi
}

# job WAY N PATTERN [OPTION...]: start N ranks, the last of which goes wrong in this way, and ask for
# the status of all until it matches. The text is in ranks.txt, the JSON in ranks.json.
job() {
	local rank end
	teardown
	rm -rf bundles arrived
	mkdir bundles
	pids=()
	for ((rank = 0; rank < $2; rank++)); do
		RANK=$rank WORLD_SIZE=$2 ROBUST_RANK=$1 CULPRIT_RUN=$own_run LD_PRELOAD=$shim "$robust" ranks \
			>/dev/null 2>&1 3>&- &
		pids+=($!)
	done
	end=$((SECONDS + 300))
	while ((SECONDS < end)); do
		"$culprit" status "${@:4}" bundles >ranks.txt 2>/dev/null || true
		! grep -Eq "^culprit: ranks: $3\$" ranks.txt || break
	done
	"$culprit" status --format json bundles >ranks.json 2>/dev/null || true
	kill_hosts "${pids[@]}"
	cat ranks.txt
	grep -Eq "^culprit: ranks: $3\$" ranks.txt
}

@test "status: names the rank that is behind in a collective, or that called a different one" {
	job sleep 2 'rank 1 has not launched AllReduce #6 of group 1; rank 0 has, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 1 is not in a driver call'
	# The other ranks are printed with --all.
	[[ $(grep -c '^culprit: process' ranks.txt) == 1 ]]
	job skip 2 'rank 1 has not launched AllReduce #8 of group 1; .*; rank 1 is in cuStreamSynchronize on stream 0x[0-9a-f]+ for [0-9.]+ m?s, from ranks.c:[0-9]+ ranks' --all
	[[ $(grep -c '^culprit: process' ranks.txt) == 2 ]]
	"$culprit" status bundles >killed.txt || true
	cat killed.txt
	grep -Eq '^culprit: ranks: rank 1 has not launched AllReduce #8 .*; rank 1 was in cuStreamSynchronize on' killed.txt
	job other 3 'rank 2 has launched Broadcast as #6 of group 1, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 0, rank 1 launched AllReduce'
	job type 3 'rank 2 has launched AllReduce_Sum_f16_RING_LL as #6 of group 1, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 0, rank 1 launched AllReduce_Sum_f32_RING_LL'
}

@test "status: names the collective of a generic NCCL kernel from NCCL's NVTX range" {
	[[ -e $build/bin/tests/nvtx_ranges ]] || skip "no nvtx3/nvToolsExt.h"
	export NVTX_INJECTION64_PATH=$shim
	job range 3 'rank 2 has launched Broadcast as #6 of group 1, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 0, rank 1 launched AllReduce'
	# A rank without a range is not mentioned.
	job range 4 'rank 3 has launched Broadcast as #6 of group 1, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 0, rank 2 launched AllReduce'
}

# finds EXPRESSION: a Python expression is true of the `jobs` and the one `finding` in ranks.json.
finds() {
	python3 -S - "$1" <<-'END'
		import json, re, sys
		jobs = [json.loads(line)["job"] for line in open("ranks.json")]
		(finding,) = jobs[0]["findings"]
		assert all(job["findings"] == [finding] for job in jobs), jobs
		# The two were printed at different times.
		known = lambda text: re.sub(r"[0-9.]+ m?s", "a while", text)
		assert "culprit: ranks: " + known(finding["text"]) + "\n" in known(open("ranks.txt").read()), finding
		assert eval(f"({sys.argv[1]})"), jobs
	END
}

@test "status: JSON for a job has the rank that is behind and each communicator's counts, per the schema" {
	# The whole text: a report made within milliseconds of a launch may lack the launch's line.
	job sleep 2 'rank 1 has not launched AllReduce #6 of group 1; rank 0 has, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 1 is not in a driver call'
	finds '(finding["kind"], finding["group"], finding["number"]) == ("behind", 1, 6) and
		(finding["ranks"], finding["others"]) == (["rank 1"], ["rank 0"])'
	finds '[job["outlier"] for job in jobs] == [False, True] and [job["name"] for job in jobs] == ["rank 0", "rank 1"]'
	finds '[(group["launched"] > 5, group["unfinished"]) for job in jobs for group in job["groups"]] == [(True, 6), (False, None)]'
	cp ranks.json all.json
	job other 3 'rank 2 has launched Broadcast as #6 of group 1, and has been waiting for [0-9.]+ m?s, from ranks.c:[0-9]+ collect; rank 0, rank 1 launched AllReduce'
	finds 'finding["kind"] == "odds" and finding["collective"] == "AllReduce_Sum_f32_RING_LL" and
		(finding["ranks"], finding["others"]) == (["rank 2"], ["rank 0", "rank 1"])'
	cat ranks.json >>all.json
	hang kernel
	looks ': in cuStreamSynchronize on stream '
	"$culprit" status --format json "$pid" >>all.json
	end
	[[ $(wc -l <all.json) == 6 && $(tail -n 1 all.json) == *', "job": null}' ]]
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/status.schema.json" all.json
	python3 -S - "$BATS_TEST_DIRNAME" "$root/tools/status/status_json.h" "$root/docs/status.schema.json" <<-'END'
		import json, re, sys
		sys.path.insert(0, sys.argv[1])
		import cli_json
		comment = open(sys.argv[2]).read().split("*/")[0]
		shapes = cli_json.Reader(re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)).read()
		schema = json.load(open(sys.argv[3]))
		objects = {"report": schema, **schema["$defs"]}
		told = {name: sorted(shape.members) for name, shape in shapes.items()}
		published = {name: sorted(found["properties"]) for name, found in objects.items() if name in told}
		assert told == published, (told, published)
		assert all(sorted(found["required"]) == sorted(found["properties"]) for found in objects.values())
	END
}

@test "status: shows a process locked for a checkpoint; its later verdict is not exact" {
	mkfifo gate
	ROBUST_GATE=gate LD_PRELOAD=$shim "$robust" checkpointed >out 2>under.err 3>&- &
	pid=$!
	until grep -q ready out; do kill -0 "$pid"; done
	looks "^culprit: process $pid is locked for a checkpoint: its calls wait until it is unlocked:"
	looks ': in cuLaunchKernel of #[0-9]+ '
	"$culprit" status --format json "$pid" | grep -q '"state": "locked"'
	: >gate
	wait "$pid" || status=$?
	((status == 1))
	verdict 'likely: launch #1[0-9]*, stray_store'
	"$culprit" report bundles/* >report.txt
	grep -q 'weaker: the process was restored from a checkpoint, and what a driver keeps' report.txt
	plain checkpointed
	diff <(grep -v ready out) plain.out
}

@test "status: a process that waits for the end of a checkpoint is not reported as hung" {
	mkfifo gate
	ROBUST_GATE=gate "$culprit" run --hang 1 -- "$robust" checkpointed >out 2>under.err 3>&- &
	pid=$!
	until grep -q ready out; do kill -0 "$pid"; done
	until [[ $("$culprit" dump --file looks bundles/culprit-*) =~ looks=[1-9][0-9] ]]; do kill -0 "$pid"; done
	: >gate
	wait "$pid" || status=$?
	((status == 1))
	lacks 'hung' under.err
}

@test "status: nothing is said to run in a process that has ended" {
	LD_PRELOAD=$shim "$robust" fault >/dev/null 2>&1 || true
	run -0 "$culprit" status bundles
	echo "$output"
	[[ ${lines[0]} =~ ^culprit:\ process\ [0-9]+\ failed,\ and\ has\ ended\;\ see\ culprit\ report:\ 1\ stream\ had\ unfinished\ work$ ]]
	[[ $output == *"had started #5001 stray_store"* ]]
	run ! grep -Eq '(runs|waits|at work|is in|are in) ' <<<"$output"
}
