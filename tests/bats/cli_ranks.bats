#!/usr/bin/env bats
# Jobs of many ranks: what a rank leaves for its launcher, and what is made of all their bundles.

load cli

# fail_as NAME=VALUE...: a failure on simcuda in a process with this environment.
fail_as() {
	LD_LIBRARY_PATH=$build/lib/simcuda env "$@" "$culprit" run --quiet -- "$build/bin/corpus" \
		--kernels "$build/lib/simcuda-kernels" stray_store >/dev/null 2>&1 || true
}

# error EXPRESSION: Python that holds of `error`, what torchrun reads as the worker's.
error() {
	python3 -S - "$1" <<-'END'
		import json, sys, time
		error = json.load(open("error.json"))["message"]
		sys.exit(not eval(sys.argv[1]))
	END
}

@test "under torchrun the verdict is the worker's error, as torchrun reads it" {
	[[ -e $build/lib/simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	fail_as RANK=3 WORLD_SIZE=4 "TORCHELASTIC_ERROR_FILE=$PWD/error.json"
	[[ $(stat -c %a error.json) == 600 && $(echo error.json*) == error.json ]]
	error '"(700) — exact: launch #12, stray_store [pid " in error["message"] and ", rank 3]" in error["message"]'
	error 'error["extraInfo"]["py_callstack"].startswith(error["message"] + "\n  stray_store<<<")'
	# int() must make seconds since 1970 of the string.
	error 'isinstance(error["extraInfo"]["timestamp"], str) and abs(int(error["extraInfo"]["timestamp"]) - time.time()) < 600'
	[[ -d $(echo culprit-corpus-rank3-*) ]]
	# The first of the worker's processes counts. No file is written if none is named.
	cp error.json first.json
	fail_as "TORCHELASTIC_ERROR_FILE=$PWD/error.json"
	cmp error.json first.json
	rm error.json
	fail_as TORCHELASTIC_ERROR_FILE=
	fail_as TORCHELASTIC_ERROR_FILE=error.json
	fail_as "TORCHELASTIC_ERROR_FILE=$PWD/nowhere/error.json"
	[[ ! -e error.json && ! -e nowhere && $(echo culprit-corpus-* | wc -w) == 5 ]]
}

# make_rank KIND RANK [SECONDS]: a bundle of rank RANK of a job of four, whose clock is that much on.
make_rank() {
	"$make_bundle" "$1" "job/culprit-train-rank$2-40$2"
	sed -i "s/\"pid\": 1234/\"pid\": 40$2, \"hostname\": \"gpu17\", \"ranks\": {\"RANK\": \"$2\", \"WORLD_SIZE\": \"4\"}/" \
		"job/culprit-train-rank$2-40$2/meta.json"
	sed -i "s/\"realtime_ns\": 10*/\"realtime_ns\": $((1000000000000000000 + ${3:-0}))/" \
		"job/culprit-train-rank$2-40$2/meta.json"
}

@test "report of a job: the rank that failed first is on top, the others have a line each" {
	mkdir job
	make_rank clean 0
	make_rank failed 1
	make_rank clean 2
	culprit report job
	[[ $status -eq 1 && $output == "culprit: job of 4 ranks, 3 bundles: rank 1 failed first, 2 followed
  failed          rank 1 on gpu17, device 0 (Test GPU): CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter<float>
  known by        no other rank's bundle has a failure
  followed        rank 0 on gpu17, device 0 (Test GPU): no failure
                    job/culprit-train-rank0-400
                  rank 2 on gpu17, device 0 (Test GPU): no failure
                    job/culprit-train-rank2-402

culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter<float> [pid 401, rank 1]
"* ]]
	[[ $(grep -c '^culprit: ' <<<"$output") -eq 2 ]]
	# A rank that was killed with work unfinished is not said to have no failure.
	make_rank failed 2
	rm job/*-rank2-*/failure
	culprit report job
	grep -q '^  *rank 2 on .*: no call seen by culprit reported a failure; killed, or gone by _exit, with 5 submissions unfinished; ' <<<"$output"
	make_rank clean 2
	# The failure 0.1 s later came from an earlier launch: the clock proves nothing.
	make_rank mixed 3
	culprit report job
	[[ ${lines[0]} == "culprit: job of 4 ranks, 4 bundles: 2 failed, and which was first is not known, 2 followed" ]]
	[[ $(grep -c '^culprit: ' <<<"$output") -eq 3 ]]
}

@test "report of a job as JSON: each process has its role, and each report knows the whole job" {
	mkdir job
	make_rank clean 0
	make_rank failed 1
	make_rank mixed 2 400000000
	culprit report job
	[[ ${lines[0]} == "culprit: job of 4 ranks, 3 bundles: rank 1 failed first, 2 followed" ]]
	printf '%s\n' "$output" >report.txt
	culprit report --format json job
	[[ $status -eq 1 && ${#lines[@]} -eq 3 ]]
	printf '%s\n' "$output" >job.json
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/report.schema.json" job.json
	python3 -S - <<-'END'
		import json
		text = open("report.txt").read()
		reports = [json.loads(line) for line in open("job.json")]
		jobs = [report["job"] for report in reports]
		assert [report["process"]["rank"]["rank"] for report in reports] == ["0", "1", "2"], reports
		assert [job["role"] for job in jobs] == ["followed", "first", "followed"], jobs
		for job in jobs:
		    assert (job["first"], job["proven"], job["n"], job["size"]) == ("1", True, 3, "4"), job
		    (reason,) = job["known_by"]
		    assert reason["rank"] == "2" and reason["by"] == "clock", reason
		    assert f"clock: seen {reason['ms'] / 1000:.3f} s before rank 2 submitted its culprit" in text, reason
		assert [len(job["ranks"]) for job in jobs] == [0, 3, 0], jobs
		for rank in jobs[1]["ranks"]:
		    where = f"rank {rank['rank']} on {rank['host']}, {rank['device']}: {rank['headline'] or 'no failure'}"
		    assert where in text and rank["bundle"] in text + reports[1]["bundle"], rank
	END
	# One process, those of no job, and of several of which none is known to be first.
	culprit report --format json job/*-rank1-*
	[[ $output == *', "job": null}' ]]
	sed -i 's/400000000,/100000000,/; s/1000000000400000000/1000000000000000000/' job/*-rank2-*/meta.json
	culprit report --format json job
	python3 -S -c 'import json, sys
jobs = [json.loads(line)["job"] for line in sys.argv[1].splitlines()]
assert [job["role"] for job in jobs] == ["followed", "undecided", "undecided"], jobs
assert all(job["first"] is None and job["proven"] is None and not job["known_by"] for job in jobs), jobs
assert [len(job["ranks"]) for job in jobs] == [0, 3, 3], jobs' "$output"
}

@test "a job that its launcher killed: the ranks that only followed are named" {
	[[ -e $build/lib/simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	cat >launcher <<-END
		#!/bin/bash
		pids=()
		for rank in 10 2; do
			RANK=\$rank ROBUST_HANG=kernel "$build/bin/tests/robust" hangs >"out.\$rank" &
			pids+=(\$!)
		done
		until grep -q ready out.10 && grep -q ready out.2; do :; done
		RANK=1 "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" stray_store >/dev/null
		kill "\${pids[@]}"
		wait "\${pids[@]}"
		exit 1
	END
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir job -- bash launcher
	[[ $status -eq 1 && $stderr == *"exact: launch #12, stray_store [pid "*", rank 1]"* ]]
	[[ $(grep -c '^culprit: rank 2, rank 10 followed: they had no failure of their own$' <<<"$stderr") == 1 ]]
	[[ $(echo job/culprit-*) == job/culprit-corpus-rank1-* ]]
}

@test "examples/mpi-job: the report of a job under mpirun" {
	command -v mpirun >/dev/null || skip "Open MPI is not here (package openmpi-bin)"
	[[ -e $build/lib/simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	cat >rank <<-END
		#!/bin/bash
		[[ \$OMPI_COMM_WORLD_RANK == 1 ]] || exec sleep 1000
		exec "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" stray_store
	END
	chmod +x rank
	LD_LIBRARY_PATH=$build/lib/simcuda PATH=$build/bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 \
		OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run --separate-stderr \
		"$root/examples/mpi-job" --oversubscribe -n 2 -- ./rank
	[[ $status -eq 1 && $stderr == *"exact: launch #12, stray_store [pid "*", rank 1]"* ]]
	[[ -d $(echo bundles/*/culprit-corpus-rank1-*) && -s $(echo bundles/*/report.txt) ]]
	run "$root/examples/mpi-job" -n 2
	[[ $status -eq 2 && $output == *"usage: mpi-job"* ]]
}

@test "report of a job: a later run of it, another job, and one process are reported separately" {
	mkdir job
	make_rank failed 0
	make_rank mixed 1 9000000000
	culprit report job
	[[ $status -eq 0 && ${lines[0]} == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) "*"[pid 400, rank 0]" ]]
	[[ $(grep -c '^culprit: ' <<<"$output") -eq 2 ]]
	rm -r job/*-rank1-*
	make_rank clean 1
	sed -i 's/"RANK"/"SLURM_JOB_ID": "7", "RANK"/' job/*-rank1-*/meta.json
	culprit report job
	[[ $status -eq 1 && ${lines[0]} == "culprit: CUDA_ERROR_"* ]]
	# Host names may contain anything.
	sed -i 's/"SLURM_JOB_ID": "7", //; s/gpu17/a\\u001b[1mb/' job/*-rank1-*/meta.json
	culprit report job
	[[ ${lines[0]} == "culprit: job of 4 ranks, 2 bundles: rank 0 failed first, 1 followed" ]]
	[[ $output == *"rank 1 on a?[1mb, device"* && $output != *$'\e'* ]]
}

@test "a job of 200 ranks on hosts whose clocks differ: one is guilty, in a report of bounded length" {
	[[ -e $build/lib/simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	"$root/scripts/bench_fleet.py" job "$build" 200 133 job
	culprit report job
	[[ $status -eq 0 && ${lines[0]} == "culprit: job of 200 ranks, 200 bundles: rank 133 failed first, 199 followed" ]]
	[[ ${lines[1]} == "  failed          rank 133 on gpu00016, "*" launch #6, stray_store" ]]
	[[ ${lines[2]} == "  known by        rank 0 failed in a kernel of NCCL, which waits for its peers" ]]
	[[ ${lines[18]} == "                  and 183 more" ]]
	[[ $(grep -c '^  followed ' <<<"$output") == 1 && $(grep -c 'and 183 more$' <<<"$output") == 2 ]]
	[[ $(grep '^culprit: ' <<<"$output" | tail -n +2) == "culprit: "*" stray_store [pid 100133, rank 133]" ]]
	culprit report --format json job
	python3 - 3<<<"$output" <<-'END'
		import json, os
		jobs = [json.loads(line)["job"] for line in os.fdopen(3)]
		assert {job["first"] for job in jobs} == {"133"} and all(job["proven"] for job in jobs)
		(first,) = [job for job in jobs if job["role"] == "first"]
		assert len(first["known_by"]) == 199 and len(first["ranks"]) == 200
		followed = [job for job in jobs if job["role"] == "followed"]
		assert len(followed) == 199 and all(len(job["known_by"]) == 1 and not job["ranks"] for job in followed)
	END
	culprit status job
	[[ ${lines[0]} == "culprit: ranks: rank 133 has not launched AllReduce #6 of group 1; rank 0, "*" and 191 more have, "*"; rank 133 failed" ]]
}

@test "the page of a job: the text's headline on top, and the ranks that followed folded" {
	mkdir job
	make_rank clean 0
	make_rank failed 1
	make_rank mixed 2
	sed -i 's/gpu17/<b>/' job/*/meta.json
	culprit report job
	printf '%s\n' "$output" >report.txt
	culprit report --format html -o page.html job
	"$root/tests/html/check_page.py" page.html
	[[ $status -eq 1 ]]
	python3 -S - <<-'END'
		import html, re
		page = open("page.html").read()
		head = html.unescape(re.search(r"<h2>The job</h2><pre>(.*?)</pre>", page, re.S)[1])
		assert open("report.txt").read().startswith(head.lstrip("\n") + "\n")
		assert "<b>" in head and "<b>" not in page, head
		assert len(re.findall("<article", page)) == 3 and page.count("<details><summary>Failures that followed") == 1
		folded = page[page.index("<details><summary>Failures that followed"):]
		assert folded.count("<article") == 1 and "<article" in folded[:folded.index("</details>")]
		links = re.findall(r'<li><a href="#(r\d)">', page)
		assert links == re.findall(r'<article id="(r\d)"', page) and len(links) == 3, links
	END
}
