#!/usr/bin/env bats
# `culprit report` and `culprit dump`: good bundles, and foreign, broken and hostile ones.

load cli

@test "report: a failure is 0, none is 1" {
	"$make_bundle" failed failed
	"$make_bundle" clean clean
	culprit report failed
	[[ $status -eq 0 && -z $stderr && $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter"* ]]
	culprit report clean
	[[ $status -eq 1 && -z $stderr && -n $output ]]
	culprit report failed clean
	[[ $status -eq 1 && $(grep -c '^culprit: ' <<<"$output") -eq 2 ]]
	culprit report --output out.txt failed
	[[ $status -eq 0 && -z $output ]]
	grep -q '^culprit: CUDA_ERROR' out.txt
}

# Files of a process that was killed have the length of whole pages, whose end is zero.
@test "report: a bundle from a machine with pages of 64 KiB says the same" {
	for kind in failed mixed; do
		"$make_bundle" "$kind" bundle
		for arguments in 'report -v' 'report --format json' dump; do
			# shellcheck disable=SC2086 # the arguments are words
			"$culprit" $arguments bundle >"small ${arguments##* }"
		done
		find bundle -type f ! -name '*.json' -exec truncate -s %65536 {} +
		for arguments in 'report -v' 'report --format json' dump; do
			# shellcheck disable=SC2086
			"$culprit" $arguments bundle | diff "small ${arguments##* }" -
		done
		rm -r bundle
	done
}

@test "report: JSON is one object in one line for each bundle" {
	"$make_bundle" failed failed
	"$make_bundle" clean clean
	culprit report --format json failed
	[[ $status -eq 0 ]]
	python3 -S -c '
import json, sys
report = json.load(sys.stdin)
assert report["verdict"] == "exact" and report["format"] == 2, report
assert report["error"]["code"] == 700, report["error"]
assert report["n_suspects"] == 1
suspect = report["suspects"][0]
assert suspect["submission"] == 7 and suspect["kind"] == "launch"
assert suspect["kernel"] == "void math::scatter<float>(float*, float*)"
assert suspect["kernel_mangled"] == "_ZN4math7scatterIfEEvPT_S2_"
assert suspect["grid"] == [16, 1, 1] and suspect["block"] == [128, 1, 1]
assert suspect["arguments"][0]["hex"] == "4000000000700000"
assert suspect["arguments"][0]["allocation"]["offset"] == 64
assert [a["allocation"] and a["allocation"]["state"] for a in suspect["arguments"][:4]] == [
    "inside", "freed", "past", None]
assert suspect["stack"][1]["module"] == "/home/user/train"
assert suspect["stack"][1]["function"] is None and suspect["stack"][1]["problem"]
assert report["observer"]["call"] == "cuCtxSynchronize"
assert report["afterwards"] == {"cleanups": 31, "sticky": 1, "later_failure": False}
assert report["process"]["program"] == "train" == report["meta"]["program"]
assert {"kind", "text"} <= set(report["evidence"][0])
assert report["bundle"].startswith("/") and report["uri"] == "file://" + report["bundle"]
' <<<"$output"
	[[ ${#lines[@]} -eq 1 ]]
	culprit report -f json failed clean
	[[ $status -eq 1 ]]
	python3 -S -c '
import json, sys
reports = [json.loads(line) for line in sys.stdin]
assert [r["verdict"] for r in reports] == ["exact", None]
assert reports[1]["error"] is None and reports[1]["reason"] is None
' <<<"$output"
}

@test "report: JSON has a path that opens, whatever its name is, from wherever it is read" {
	local odd=$'sub dir/b\xffu%\e'
	mkdir 'sub dir'
	"$make_bundle" failed "$odd"
	culprit report --format json "$odd"
	cd /
	python3 -S -c '
import json, os, sys, urllib.parse
report = json.load(sys.stdin)
uri = urllib.parse.urlparse(report["uri"])
path = urllib.parse.unquote_to_bytes(uri.path)
assert uri.scheme == "file" and os.path.exists(os.path.join(path, b"meta.json")), report["uri"]
assert report["bundle"].endswith("sub dir/b?u%?"), report["bundle"]
' <<<"$output"
}

@test "report: whose process it was, with its rank, and when by the clock on the wall" {
	fail_on_simcuda --quiet
	rm -r culprit-program-*
	before=$(date -u +%Y-%m-%dT%H:%M:%S)
	RANK=3 LOCAL_RANK=1 WORLD_SIZE=8 SLURM_PROCID=0 fail_on_simcuda --quiet
	after=$(date -u +%Y-%m-%dT%H:%M:%S.999999Z)
	culprit report culprit-program-*
	[[ $output == *"  process         ${bundle_pid:=$(basename culprit-program-* | grep -o '[0-9]*$')} \"./program --kernels "* ]]
	[[ $output == *'", child of '[0-9]*' "culprit", on '"$(uname -n)"$'\n'* ]]
	[[ $output == *$'\n                  rank 3 of 8, 1 on its machine\n'* ]]
	[[ $output == *", failed at ${before%%T*}T"* || $output == *", failed at ${after%%T*}T"* ]]
	culprit report --format json culprit-program-*
	python3 -S -c '
import json, os, sys
report = json.load(sys.stdin)
process = report["process"]
for time in report["time"], report["suspects"][0]["time"]:
    assert sys.argv[1] <= time <= sys.argv[2], (time, sys.argv)
assert report["suspects"][0]["time"] <= report["time"], report["time"]
assert process["rank"]["rank"] == "3" and process["rank"]["size"] == "8", process
assert process["rank"]["variables"]["SLURM_PROCID"] == "0", process
assert process["parent"]["name"] == "culprit" and process["command"][0] == "./program", process
assert process["directory"] == os.getcwd() and process["host"] == os.uname().nodename, process
' "$before" "$after" <<<"$output"
}

@test "report: names that are not UTF-8 still make JSON" {
	"$make_bundle" failed failed
	python3 -S - <<-'PY'
		bytes = open("failed/strings", "rb").read().replace(b"Test GPU", b"T\xff\x1b\"\\GPU")
		open("failed/strings", "wb").write(bytes)
	PY
	culprit report --format json failed
	python3 -S -m json.tool <<<"$output" >/dev/null
	culprit report failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
	culprit dump failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
}

@test "report: of what a process said itself a terminal obeys nothing" {
	"$make_bundle" failed told
	rm told/failure
	printf 'culprit: it \u2014 exact \e]0;title\a\xff\n  \e[31mred\n' >told/verdict.txt
	for format in text html json; do
		culprit report --format "$format" told
		[[ $output == *"it — exact ?]0;title??"* && $output == *'?[31mred'* ]]
		[[ $output != *$'\e'* && $output != *$'\a'* ]]
	done
}

@test "report: JSON says by number what a terminal would obey or hide" {
	local odd='a\u009bb\u007fc\u202ed\udb40\udc41e'
	"$make_bundle" failed failed
	python3 -S - "$odd" <<-'PY'
		import json, sys
		meta = json.load(open("failed/meta.json"))
		meta["directory"] = json.loads('"%s\u00e9"' % sys.argv[1])
		json.dump(meta, open("failed/meta.json", "w"))
	PY
	culprit report --format json failed
	echo "$output" | grep directory
	[[ $output == *"\"${odd}é\""* ]]
}

@test "dump: every table and record in one line each" {
	"$make_bundle" failed failed
	culprit dump failed
	[[ $status -eq 0 && -z $stderr ]]
	for word in string thread context stream function parameter stack module range failure ring-0; do
		grep -q "^$word [0-9]*: " <<<"$output"
	done
	grep -qE '^ring-0 [0-9]+: #7 submission .*kernel="_ZN4math7scatterIfEEvPT_S2_" grid=\(16,1,1\)' \
		<<<"$output"
	culprit dump --file streams failed
	[[ $(grep -vc '^#' <<<"$output") -eq 3 && $output != *ring-0* ]]
	culprit dump failed --file ring
	[[ $output == "# ring-0: "* && $output != *$'\n'stream* ]]
}

@test "not a bundle: nothing there, a file, an empty directory, someone else's directory" {
	touch file
	mkdir empty other
	echo '{"name": "other"}' >other/meta.json
	for command in report dump; do
		culprit "$command" missing
		complains 3 "culprit $command: missing: No such file or directory"
		culprit "$command" empty
		complains 3 "culprit $command: empty: not a bundle: meta.json is missing, and no journal can be read"
		culprit "$command" other
		complains 3 "culprit $command: other: not a bundle: meta.json is not about a bundle, and no journal can be read"
	done
	culprit report file
	complains 3 "culprit report: file: is neither a bundle nor a complete pack"
	culprit dump file
	complains 3 "culprit dump: file: is not a GPU core dump"
	"$make_bundle" failed good
	culprit report empty good
	[[ $status -eq 3 && $output == "culprit: CUDA_ERROR"* ]]
	says "culprit report: empty: not a bundle*"
}

@test "a bundle of another version" {
	"$make_bundle" failed newer
	echo '{"culprit": "9.9.9", "format": 2}' >newer/meta.json
	culprit report newer
	complains 3 "culprit report: newer: a bundle of format 2, made by culprit 9.9.9; culprit $("$culprit" --version | cut -d' ' -f2) reads format 1"
	[[ -z $output ]]
	# One file that only a newer culprit can read: the rest is shown.
	"$make_bundle" failed partly
	printf '\200' | dd of=partly/ranges bs=1 seek=23 conv=notrunc status=none
	culprit report partly
	complains 4 "culprit report: partly/ranges: was written by an incompatible version of culprit"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
}

@test "a truncated journal: what is whole is shown" {
	"$make_bundle" failed cut
	truncate -s $((64 + 128 * 14 + 50)) cut/ring-0
	culprit report cut
	complains 4 "culprit report: cut/ring-0: is cut short; its whole rows are used"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)"* ]]
	culprit dump --file ring cut
	[[ $status -eq 4 && $(grep -vc '^#' <<<"$output") -eq 14 ]]
	truncate -s 10 cut/ring-0
	culprit report cut
	complains 4 "culprit report: cut/ring-0: is not a journal file, or is broken"
	[[ -n $output ]]
}

@test "a ring that was being made when its process was killed is no damage, but after a failure" {
	"$make_bundle" clean killed
	truncate -s 0 killed/ring-7
	truncate -s 65536 killed/ring-8
	culprit dump killed
	((status == 0)) && [[ -z $stderr ]]
	printf 'x' | dd of=killed/ring-8 bs=1 seek=100 conv=notrunc status=none
	culprit dump killed
	complains 4 "culprit dump: killed/ring-8: is not a journal file, or is broken"
	"$make_bundle" failed killed_later
	truncate -s 65536 killed_later/ring-8
	culprit report killed_later
	complains 4 "culprit report: killed_later/ring-8: is not a journal file, or is broken"
}

@test "files that are missing, swapped or no JSON" {
	"$make_bundle" failed bad
	rm bad/strings
	culprit report bad
	complains 4 "culprit report: bad/strings: is missing or unreadable; names are unknown"
	"$make_bundle" failed bad
	cp bad/streams bad/threads
	culprit report bad
	complains 4 "culprit report: bad/threads: holds another kind of file than its name says"
	"$make_bundle" failed bad
	echo '{"culprit": ' >bad/meta.json
	culprit report bad
	complains 4 "culprit report: bad/meta.json: is not valid JSON"
	rm bad/meta.json
	culprit report bad
	complains 4 "culprit report: bad/meta.json: is missing"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
}

@test "links, pipes, sockets and directories among the files are refused" {
	"$make_bundle" failed linked
	mv linked/strings elsewhere
	ln -s ../elsewhere linked/strings
	rm linked/ranges linked/modules linked/stacks
	mkfifo linked/ranges
	mkdir linked/modules
	python3 -S -c 'import socket; socket.socket(socket.AF_UNIX).bind("linked/stacks")'
	run --separate-stderr timeout 300 "$culprit" report linked
	[[ $status -eq 4 && -n $output ]]
	says "culprit report: linked/strings: is a symbolic link, which culprit does not follow"
	says "culprit report: linked/ranges: is not a regular file"
	says "culprit report: linked/modules: is not a regular file"
	says "culprit report: linked/stacks: is not a regular file"
	# A link to a whole bundle is followed, if that is ours.
	"$make_bundle" failed target
	ln -s target link
	for verb in report dump; do
		culprit "$verb" link
		[[ $status -eq 0 && -n $output && -z $stderr ]]
	done
	if [[ $EUID -eq 0 ]]; then
		chown 12345 target
		culprit report link
		complains 3 "culprit report: link: is a symbolic link, which culprit does not follow"
	fi
	"$make_bundle" failed meta
	mv meta/meta.json elsewhere
	ln -s ../elsewhere meta/meta.json
	culprit report meta
	complains 4 "culprit report: meta/meta.json: is a symbolic link, which culprit does not follow"
}

# put KIND PATH: something else than a file.
put() {
	case $1 in
	pipe) mkfifo "$2" ;;
	directory) mkdir "$2" ;;
	huge) truncate -s 1T "$2" ;;
	endless) ln -s /dev/zero "$2" ;;
	circle) ln -s "${2##*/}" "$2" ;;
	esac
}

@test "each file of a bundle as a pipe, a directory, a terabyte, an endless link: reported, never waited for" {
	for file in meta.json strings threads ring-0 failure; do
		for kind in pipe directory huge endless circle; do
			rm -rf odd
			"$make_bundle" failed odd
			rm "odd/$file"
			put $kind "odd/$file"
			for verb in dump report "report --format json"; do
				culprit $verb odd
				echo "$file $kind $verb: $status"
				[[ $verb$file != report*failure ]] || wanted=7
				((status == ${wanted:-4})) && [[ $stderr == *"odd/$file: "* ]]
				unset wanted
			done
		done
	done
}

@test "files too large to be true" {
	"$make_bundle" failed huge
	truncate -s 1T huge/ring-7 huge/ranges
	culprit report huge
	[[ $status -eq 4 && $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
	says "culprit report: huge/ring-7: is larger than a bundle can be"
	says "culprit report: huge/ranges: is larger than a bundle can be"
}

# Root can read everything, unless it gives that up.
unprivileged() {
	if [[ $EUID -eq 0 ]]; then
		run --separate-stderr setpriv --bounding-set=-dac_override,-dac_read_search "$@"
	else
		run --separate-stderr "$@"
	fi
}

@test "an unreadable directory and unreadable files" {
	"$make_bundle" failed closed
	chmod 000 closed
	unprivileged "$culprit" report closed
	chmod 700 closed
	complains 3 "culprit report: closed: Permission denied"
	chmod 000 closed/stacks
	unprivileged "$culprit" report closed
	complains 4 "culprit report: closed/stacks: Permission denied"
}

@test "a hostile journal neither crashes nor hangs any command" {
	"$make_bundle" failed seed
	python3 -S - "$culprit" <<-'PY'
		import os, random, shutil, subprocess, sys
		names = sorted(name for name in os.listdir("seed") if name != "meta.json")
		for seed in range(60):
		    random.seed(seed)
		    shutil.rmtree("hostile", ignore_errors=True)
		    shutil.copytree("seed", "hostile")
		    for name in random.sample(names, 3):
		        data = bytearray(open("hostile/" + name, "rb").read())
		        used = min(len(data), 4096)
		        for _ in range(random.choice([1, 4, 64])):
		            data[random.randrange(used)] = random.choice([0, 1, 0x7f, 0xff, random.randrange(256)])
		        open("hostile/" + name, "wb").write(data)
		    for command in (["report"], ["report", "--format", "json"], ["report", "--format", "html"], ["dump"],
		                    ["list"], ["memory"], ["trace", "-o", "trace"], ["trace", "-f", "chrome", "-o", "trace"]):
		        done = subprocess.run([sys.argv[1], *command, "hostile"], timeout=300,
		                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        assert done.returncode in (0, 1, 3, 4, 7), (seed, command, done)
		        assert b"\x1b" not in done.stdout + done.stderr, (seed, command)
	PY
}

@test "report: no line is made up for a program that was rebuilt since" {
	fail_on_simcuda --quiet
	rm culprit-program-*/report.txt # else that is shown
	cp --remove-destination "$culprit" program # as in fail_on_simcuda: it may still run
	culprit report culprit-program-*
	[[ $status -eq 0 ]]
	complains 0 "culprit report: $(realpath program): the file has changed since (its build-id differs); its lines are not shown"
	[[ $output == *"  launched from   program+0x"* && $output != *.c:[0-9]* ]]
	rm program
	culprit report culprit-program-*
	[[ $status -eq 0 && $output == *"  launched from   program+0x"* ]]
}

@test "report: JSON has the members that its documentation describes" {
	for kind in failed clean coredump mixed; do
		"$make_bundle" "$kind" "$kind"
		"$culprit" report --format json "$kind" >"$kind.json" || [[ $kind == clean ]]
	done
	echo '{"blocks": [{"start": "0x700000000000", "size": 512, "state": "in_use",
		"allocated": [{"file": "train.py", "line": 7, "function": "make"}]}]}' >failed/torch-blocks.json
	cp "$root/tests/fixtures/hardware.json" failed
	"$culprit" report --format json failed >blocks.json
	"$make_bundle" failed changed # whose program is another one now
	sed -i "s#/home/user/train#/usr/bin/////env#" changed/strings
	printf '\5' | dd of=changed/functions bs=1 seek=48 conv=notrunc status=none # file_header.lost
	"$culprit" report --format json changed >changed.json
	printf 'x = 1\n# %%a : f32 = call()\n\ny = 2\n' >generated.py
	"$make_bundle" python python "$PWD/generated.py"
	"$culprit" report --format json python >python.json
	"$culprit" report --format json --coredump "$build/tests/fixtures/coredumps/load.cudacore" \
		coredump >dump.json
	zcat "$root/tests/fixtures/coredumps/inlined.cudacore.gz" >inlined.cudacore
	"$culprit" report --format json --coredump inlined.cudacore coredump >inlined.json
	cp -r failed hung
	rm hung/failure
	echo '{"format": 1, "kind": "hang", "verdict": "likely", "ns": 5, "streams": [
		{"submission": 7, "state": "event", "proven": false, "source": 3}]}' >hung/finding.json
	"$culprit" report --format json hung >hung.json
	mkdir job
	for kind in failed clean mixed; do # by ranks; the last one failed 0.3 s later
		cp -r "$kind" "job/culprit-train-$kind"
		sed -i "s/\"pid\": 1234/\"pid\": 40, \"hostname\": \"gpu17\", \"ranks\": {\"RANK\": \"${#kind}\"}/" \
			"job/culprit-train-$kind/meta.json"
	done
	sed -i 's/"RANK": "5"}/"RANK": "7"}/; s/"realtime_ns": 10*/"realtime_ns": 1000000000400000000/' job/*-mixed/meta.json
	"$culprit" report --format json job | grep '"role": "first", "first"' >job.json
	# cli_first_nan.bats and cli_hang.bats have reports with these; kernels here have no machine code.
	python3 -S "$BATS_TEST_DIRNAME/cli_json.py" "$root/tools/json/report_json.h" ./*.json >faults || [[ $? -eq 1 ]]
	diff faults - <<-'END'
		no report has FIRST_NAN
		no report has INSTRUCTION
		no report has NAN_ARGUMENT
		no report has report.started
	END
	# Lines that appear in none of these reports are in the schema as well.
	while read -r word; do
		sed -n '/^ \* LINE: /,/"label"/p' "$root/tools/json/report_json.h" | grep -qF "\"$word\"" ||
			{ echo "the schema of LINE lacks the id $word" && false; }
	done < <(sed -n '/\[PAGE_TITLE\]/q; s/^\t\[PAGE_[A-Z_]*\] = {"\([a-z_]*\)",.*/\1/p' "$root/core/report/page.c")
	# The check is useless unless it sees what is missing and what is too much.
	python3 -S - <<-'PY'
		import json
		report = json.load(open("mixed.json"))
		assert report["observer"]["stream"] == report["suspects"][2]["stream"]["id"], report
		report["lines"][0]["colour"] = "red"
		del next(s for s in report["suspects"] if s["nvtx"])["nvtx"]
		report["verdict"] = "perhaps"
		json.dump(report, open("mixed.json", "w"))
	PY
	run python3 -S "$BATS_TEST_DIRNAME/cli_json.py" "$root/tools/json/report_json.h" ./*.json
	[[ $status -eq 1 && ${#lines[@]} -eq 8 && $output == *"no report has RANGE"* ]]
	[[ $output == *"lines.colour is not documented"* && $output == *"suspects.nvtx is missing"* ]]
	[[ $output == *"verdict is perhaps, not one of "* ]]
}
