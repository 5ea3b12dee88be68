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

@test "report: JSON of one bundle is an object, of several an array" {
	"$make_bundle" failed failed
	"$make_bundle" clean clean
	culprit report --format json failed
	[[ $status -eq 0 ]]
	python3 -c '
import json, sys
report = json.load(sys.stdin)
assert report["verdict"] == "exact" and report["format"] == 1, report
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
assert report["afterwards"] == {"cleanups": 31, "sticky": 1}
assert report["process"]["program"] == "train"
assert {"kind", "text"} <= set(report["evidence"][0])
' <<<"$output"
	culprit report -f json failed clean
	[[ $status -eq 1 ]]
	python3 -c '
import json, sys
reports = json.load(sys.stdin)
assert [r["verdict"] for r in reports] == ["exact", "unknown"]
assert reports[1]["error"] is None and reports[1]["reason"]
' <<<"$output"
}

@test "report: names that are not UTF-8 still make JSON" {
	"$make_bundle" failed failed
	python3 - <<-'PY'
		bytes = open("failed/strings", "rb").read().replace(b"Test GPU", b"T\xff\x1b\"\\GPU")
		open("failed/strings", "wb").write(bytes)
	PY
	culprit report --format json failed
	python3 -m json.tool <<<"$output" >/dev/null
	culprit report failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
	culprit dump failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
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
	complains 3 "culprit report: file: is not a directory"
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
	printf '\001' | dd of=partly/ranges bs=1 seek=20 conv=notrunc status=none
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
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("linked/stacks")'
	run --separate-stderr timeout 300 "$culprit" report linked
	[[ $status -eq 4 && -n $output ]]
	says "culprit report: linked/strings: is a symbolic link, which culprit does not follow"
	says "culprit report: linked/ranges: is not a regular file"
	says "culprit report: linked/modules: is not a regular file"
	says "culprit report: linked/stacks: is not a regular file"
	ln -s linked link
	culprit report link
	complains 3 "culprit report: link: is a symbolic link, which culprit does not follow"
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

@test "each file of a bundle as a pipe, a directory, a terabyte, an endless link: told, never waited for" {
	for file in meta.json strings threads ring-0 failure; do
		for kind in pipe directory huge endless circle; do
			rm -rf odd
			"$make_bundle" failed odd
			rm "odd/$file"
			put $kind "odd/$file"
			for verb in dump report "report --format json"; do
				culprit $verb odd
				echo "$file $kind $verb: $status"
				((status == 4)) && [[ $stderr == *"odd/$file: "* ]]
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

# Root reads everything, unless it gives that up.
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
	python3 - "$culprit" <<-'PY'
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
		    for command in (["report"], ["report", "--format", "json"], ["dump"]):
		        done = subprocess.run([sys.argv[1], *command, "hostile"], timeout=300,
		                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        assert done.returncode in (0, 1, 3, 4), (seed, command, done)
		        assert b"\x1b" not in done.stdout + done.stderr, (seed, command)
	PY
}

@test "report: of a program that was built anew since, no line is made up" {
	fail_on_simcuda --quiet
	cp "$culprit" program
	culprit report culprit-program-*
	[[ $status -eq 0 ]]
	complains 0 "culprit report: $(realpath program): the file has changed since (its build-id differs); its lines are not shown"
	[[ $output == *"  launched from   program+0x"* && $output != *.c:[0-9]* ]]
	rm program
	culprit report culprit-program-*
	[[ $status -eq 0 && $output == *"  launched from   program+0x"* ]]
}
