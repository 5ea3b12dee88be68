#!/usr/bin/env bats
# `culprit report`: whose failure it was, which bundles are meant, and what is the same in several.

load cli

@test "report: the first line names the process and its rank, and first completes an unfinished line" {
	fail_on_simcuda --quiet
	rm -r culprit-program-*
	printf '%s\n' 'printf "half a line" >&2' '"$@"' >half.sh
	RANK=2 LD_LIBRARY_PATH=$simcuda "$culprit" run -- sh half.sh ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store 2>run.err || true
	LD_PRELOAD=$build/lib/libculprit.so LD_LIBRARY_PATH=$simcuda sh half.sh ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store 2>library.err || true
	grep -A1 '^half a line$' run.err | grep -Eq '^culprit: CUDA_ERROR.* stray_store \[pid [0-9]+, rank 2\]$'
	grep -A1 '^half a line$' library.err | grep -Eq '^culprit: CUDA_ERROR.* stray_store \[pid [0-9]+\]$'
	# A line that already ends in a newline gets no second one.
	! grep -q '^$' run.err library.err
}

@test "report: bundles have plain names, whatever the program is called" {
	fail_on_simcuda --quiet
	rm -r culprit-program-*
	odd=$'we ird\n"\xff$(name)'
	mv program "$odd"
	LD_LIBRARY_PATH=$simcuda "$culprit" run --quiet -- "./$odd" \
		--kernels "$build/lib/simcuda-kernels" stray_store || true
	bundle=$(echo culprit-*)
	[[ $bundle =~ ^culprit-we_ird____+name_-[0-9]+$ ]]
	culprit report "$bundle"
	[[ $status -eq 0 && $output == *"  process         ${bundle##*-} "* ]]
}

@test "run --no-args: the bundle holds the program, and no argument" {
	fail_on_simcuda --quiet
	command_of() { python3 -S -c 'import json, sys; print(*json.load(sys.stdin)["command"])'; }
	[[ $(command_of <<<"$(cat culprit-program-*/meta.json)") == "./program --kernels "* ]]
	rm -r culprit-program-*
	fail_on_simcuda --quiet --no-args
	[[ $(command_of <<<"$(cat culprit-program-*/meta.json)") == "./program" ]]
	run ! grep -rq stray_store culprit-program-*/meta.json
	culprit report culprit-program-*
	[[ $output == *' "./program", child of '* ]]
}

@test "report: without an argument the newest bundle, and a folder is all that lie in it" {
	mkdir there
	culprit report
	complains 3 "culprit report: no bundle in '.'"
	"$make_bundle" failed there/culprit-train-2
	"$make_bundle" mixed there/culprit-train-1
	"$make_bundle" clean there/culprit-train-3
	sed -i 's/"realtime_ns": 1/"realtime_ns": 2/' there/culprit-train-1/meta.json
	culprit report there
	[[ $status -eq 1 && $(grep '^  bundle ' <<<"$output") == "  bundle          there/culprit-train-2
  bundle          there/culprit-train-3
  bundle          there/culprit-train-1" ]]
	CULPRIT_DIR=there culprit report
	[[ $status -eq 0 && $output == *"  bundle          there/culprit-train-1"$'\n  help            culprit '* ]]
	newest=$output
	cd there
	for verb in report "report latest"; do
		culprit $verb
		[[ $status -eq 0 && $(grep -v '^  bundle' <<<"$output") == "$(grep -v '^  bundle' <<<"$newest")" ]]
	done
	culprit dump latest
	[[ $status -eq 0 && -n $output ]]
	# A bundle that is called so is meant first.
	"$make_bundle" clean latest
	culprit report latest
	[[ $status -eq 1 ]]
	cd ..
	culprit dump there
	complains 2 "culprit dump: there: holds 3 bundles; name one of them"
}

@test "report: equal reports of several processes are one, with the others named" {
	for rank in 0 1 2; do
		"$make_bundle" failed "culprit-train-$rank"
		sed -i "s/\"pid\": 1234/\"pid\": 40$rank, \"ranks\": {\"RANK\": \"$rank\"}/" "culprit-train-$rank/meta.json"
	done
	"$make_bundle" mixed culprit-other-9
	culprit report culprit-train-* culprit-other-9
	[[ $status -eq 0 && $(grep -c '^culprit: CUDA_ERROR' <<<"$output") -eq 2 ]]
	[[ ${lines[0]} == *" [pid 400, rank 0] and 2 more processes" ]]
	[[ $output == *"  bundle          culprit-train-0
  help            culprit explain out-of-bounds
  the same in     pid 401, rank 1: culprit-train-1
                  pid 402, rank 2: culprit-train-2

culprit: "* ]]
	# JSON has each of them, and says by the fingerprint which are the same.
	culprit report -f json culprit-train-* culprit-other-9
	python3 -S -c '
import json, sys
prints = [json.loads(line)["fingerprint"] for line in sys.stdin]
assert len(prints) == 4 and prints[0] == prints[1] == prints[2] != prints[3], prints
' <<<"$output"
}

# A mistake in the same function, of the same kernel, from another place and in a file that has grown.
@test "report: a fingerprint survives other runs, machines and edits, and differs between places" {
	fail_on_simcuda --quiet
	first=$(culprit report -f json culprit-program-*; jq_id <<<"$output")
	[[ $first =~ ^[0-9a-f]{16}$ ]]
	rm -r culprit-program-*
	mkdir elsewhere
	cp program elsewhere/
	cd elsewhere
	LD_LIBRARY_PATH=$simcuda "$culprit" run --quiet --markers inline -- ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store || true
	again=$(culprit report -f json culprit-program-*; jq_id <<<"$output")
	[[ $again == "$first" ]]
	rm -r culprit-program-*
	LD_LIBRARY_PATH=$simcuda "$culprit" run --quiet --markers inline -- ./program \
		--kernels "$build/lib/simcuda-kernels" trap || true
	other=$(culprit report -f json culprit-program-*; jq_id <<<"$output")
	[[ $other =~ ^[0-9a-f]{16}$ && $other != "$first" ]]
}

jq_id() {
	python3 -S -c 'import json, sys; print(json.load(sys.stdin)["fingerprint"])'
}

@test "run: the report stays in the bundle, and is shown if the program was rebuilt or is missing" {
	fail_on_simcuda
	bundle=$(echo culprit-program-*)
	# The last one: on a busy machine the first line comes early, too.
	told=$(tac <<<"$stderr" | sed '/^culprit: CUDA_ERROR/q' | tac)
	[[ $(<"$bundle/report.txt") == "$told" ]]
	python3 -S -m json.tool "$bundle/report.json" >/dev/null
	[[ $(<"$bundle/report.txt") == *"  launched from   faults.c:"* ]]
	# The program is unchanged, so it is read again.
	culprit report "$bundle"
	[[ $status -eq 0 && -z $stderr && $output == *"  launched from   faults.c:"* ]]
	[[ $(culprit report -f json "$bundle"; echo "$output") == *'"stored": false,'* ]]
	mkdir -p "image$PWD"
	mv program "image$PWD/"
	for change in "cp $culprit program" "rm program"; do
		$change
		culprit report "$bundle"
		complains 0 "culprit report: $PWD/program: is gone or another file now; this is the report that the run's end made"
		[[ $output == "${told/.\/culprit/culprit}" || $output == "$told" ]]
		culprit report --format json "$bundle"
		[[ $output == *'"stored": true'* && $output == *'"file": "'*faults.c'"'* ]]
		# With files from elsewhere the report is made again.
		culprit report --symfs image "$bundle"
		[[ $status -eq 0 && $output == *"  launched from   faults.c:"* ]]
		culprit report --symfs image --format json "$bundle"
		[[ $output == *'"stored": false'* && $output == *'"file": "'*faults.c'"'* ]]
	done
	culprit report --symfs nowhere "$bundle"
	complains 2 "culprit report: --symfs 'nowhere': No such file or directory"
}

@test "report: a stored report of somebody else's is shown without what a terminal would obey" {
	fail_on_simcuda --quiet
	bundle=$(echo culprit-program-*)
	rm program
	printf 'culprit: \e[2J\xff\0evil\n' >"$bundle/report.txt"
	culprit report "$bundle"
	[[ $status -eq 0 && $output == 'culprit: ?[2J??evil' ]]
	echo '{"format": 2, "line": "\u001b[2J"' >"$bundle/report.json"
	culprit report --format json "$bundle"
	python3 -S -m json.tool <<<"$output" >/dev/null
	[[ $output == *'"stored": false'* ]]
	for kind in pipe link directory; do
		rm -rf "$bundle/report.txt"
		case $kind in
		pipe) mkfifo "$bundle/report.txt" ;;
		link) ln -s /dev/zero "$bundle/report.txt" ;;
		directory) mkdir "$bundle/report.txt" ;;
		esac
		run --separate-stderr timeout 60 "$culprit" report "$bundle"
		[[ $status -eq 0 && $output == *"  launched from   program+0x"* ]]
	done
}

@test "run: the header of the report says how the command exited" {
	fail_on_simcuda
	says '                  ended at 20*Z with status 1'
	culprit report --format json
	python3 -S -c '
import json, sys
process = json.load(sys.stdin)["process"]
assert process["end"] == "exited" and process["exit_status"] == 1, process
assert process["end_time"].endswith("Z"), process
' <<<"$output"
	# If another process started the program, its exit status is not known.
	rm -r culprit-program-*
	LD_LIBRARY_PATH=$simcuda culprit run -- sh -c './program --kernels "$1" stray_store; kill -9 $$' - \
		"$build/lib/simcuda-kernels"
	[[ $status -eq 137 && $stderr != *"ended at"* && $stderr == *"failed at"* ]]
	culprit clean --all
	[[ -z $(ls -d culprit-program-* 2>/dev/null) ]]
}

@test "run: an unknown setting is reported, with the nearest one, unless quiet" {
	CULPRIT_RECORD=128 culprit run true
	complains 0 "culprit run: CULPRIT_RECORD is no setting; did you mean CULPRIT_RECORDS?"
	CULPRIT_SOMETHING=$'\e[2J' culprit run true
	complains 0 "culprit run: CULPRIT_SOMETHING is no setting"
	CULPRIT_RECORD=128 culprit run --quiet true
	[[ $status -eq 0 && -z $stderr ]]
	CULPRIT_RECORDS=128 CULPRIT_LIBRARY=$build/lib/libculprit.so culprit run true
	[[ $status -eq 0 && -z $stderr ]]
}

@test "report: JSON is as its published schema says, and the schema as the manual page" {
	schema=$root/docs/report.schema.json
	for kind in failed clean coredump mixed; do
		"$make_bundle" "$kind" "$kind"
		"$culprit" report --format json "$kind" >>reports.json || [[ $kind == clean ]]
	done
	echo '{"blocks": [{"start": "0x700000000000", "size": 512, "state": "in_use",
		"allocated": [{"file": "train.py", "line": 7, "function": "make"}]}]}' >failed/torch-blocks.json
	cp "$root/tests/fixtures/hardware.json" failed
	"$culprit" report --format json failed >>reports.json
	printf 'x = 1\n# %%a : f32 = call()\n\ny = 2\n' >generated.py
	"$make_bundle" python python "$PWD/generated.py"
	"$culprit" report --format json python >>reports.json
	rm failed/failure
	echo '{"format": 1, "kind": "hang", "verdict": "likely", "ns": 5, "streams": [
		{"submission": 7, "state": "event", "proven": false, "source": 3}]}' >failed/finding.json
	"$culprit" report --format json failed >>reports.json
	[[ $(wc -l <reports.json) -eq 7 ]]
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$schema" reports.json
	python3 -S - "$BATS_TEST_DIRNAME" "$root/tools/json/report_json.h" "$schema" <<-'PY'
		import json, re, sys
		sys.path.insert(0, sys.argv[1])
		import cli_json
		comment = open(sys.argv[2]).read().split("*/")[0]
		shapes = cli_json.Reader(re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)).read()
		schema = json.load(open(sys.argv[3]))
		objects = {"report": schema, **schema["$defs"]}
		told = {name: sorted(shape.members) for name, shape in shapes.items()}
		published = {name: sorted(found["properties"]) for name, found in objects.items()}
		assert told == published, {
		    name: set(told.get(name, [])) ^ set(published.get(name, []))
		    for name in told.keys() | published.keys() if told.get(name) != published.get(name)}
		assert all(sorted(found["required"]) == sorted(found["properties"]) for found in objects.values())
		report = json.loads(open("reports.json").readline())
		report["verdict"] = "perhaps"
		report["suspects"][0]["grid"] = "16"
		del report["lines"][0]["places"]
		json.dump(report, open("bad.json", "w"))
	PY
	run python3 "$BATS_TEST_DIRNAME/json_schema.py" "$schema" bad.json
	[[ $status -eq 1 && ${#lines[@]} -eq 3 && $output == *"verdict is 'perhaps'"* ]]
	[[ $output == *"grid is no array"* && $output == *"lines[0] lacks places"* ]]
}

@test "list: bundles as a table, and as values between tabs" {
	mkdir there
	"$make_bundle" failed there/culprit-train-2
	"$make_bundle" clean there/culprit-train-1
	sed -i 's/"program": "train"/"program": "a\\tb\\u001b", "ranks": {"RANK": "3"}/' there/culprit-train-2/meta.json
	culprit list there
	[[ $status -eq 0 && -z $stderr && ${#lines[@]} -eq 3 ]]
	[[ ${lines[0]} == "when  "*"program  pid   rank  error  verdict     fingerprint       work                  place       bundle" ]]
	[[ ${lines[1]} == *"  train    1234               no failure "*"  there/culprit-train-1" ]]
	[[ ${lines[2]} == "2001-09-09T01:46:4"*"  a?b?     1234  3     700    exact       "*"math::scatter<float>  train+0x33  there/culprit-train-2" ]]
	table=$output
	cd there
	culprit list
	[[ $output == "${table//there\//./}" ]]
	cd ..
	CULPRIT_DIR=there culprit list --format tsv
	python3 -S -c '
import csv, json, subprocess, sys
rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
assert [row["verdict"] for row in rows] == ["no failure", "exact"], rows
report = json.loads(subprocess.run([sys.argv[1], "report", "-f", "json", "there/culprit-train-2"],
                                   stdout=subprocess.PIPE).stdout)
assert rows[1]["fingerprint"] == report["fingerprint"] and rows[1]["when"] == report["time"], rows
assert rows[0]["fingerprint"] == "" and rows[1]["error"] == "700", rows
' "$culprit" <<<"$output"
	culprit list --format tsv there missing
	[[ $status -eq 3 && ${#lines[@]} -eq 3 ]]
	says "culprit list: missing: No such file or directory"
	mkdir none
	CULPRIT_DIR=none culprit list
	[[ $status -eq 3 ]]
}

@test "list: the report that the run stored stands for the journal, as long as it is whole" {
	fail_on_simcuda --quiet
	bundle=$(echo culprit-program-*)
	culprit list
	[[ $status -eq 0 && -z $stderr && ${lines[1]} == *"  stray_store  "*.c:[0-9]*"  ./$bundle" ]]
	table=$output
	cp -r "$bundle" stored
	rm "$bundle"/report.*
	culprit list
	[[ $status -eq 0 && $output == "$table" ]]
	cp stored/report.json "$bundle"
	rm "$bundle"/ring-* "$bundle/strings"
	culprit list
	[[ $status -eq 0 && -z $stderr && $output == "$table" ]]
	sed -i 's/"exact"/"exactly"/' "$bundle/report.json"
	culprit list
	[[ $status -eq 4 && -n $stderr && $output != "$table" ]]
}

@test "list --since and --fingerprint leave out other failures" {
	"$make_bundle" failed culprit-train-1
	"$make_bundle" clean culprit-train-2
	culprit list --format tsv culprit-train-1
	id=$(cut -f 7 <<<"${lines[1]}")
	for wanted in "--fingerprint $id" "--fingerprint ${id:0:4}" \
		"--since 2001-09-09 --fingerprint $id" "--since 1000000d --fingerprint $id"; do
		culprit list $wanted
		[[ $status -eq 0 && ${#lines[@]} -eq 2 && ${lines[1]} == *"  ./culprit-train-1" ]]
	done
	culprit list --since 2001-09-09T01:46:00Z
	[[ $status -eq 0 && ${#lines[@]} -eq 3 ]]
	for unwanted in "--fingerprint 0000" "--since 2001-09-09T01:47" "--since 7d" "--since 3h"; do
		culprit list $unwanted
		[[ $status -eq 0 && -z $output$stderr ]]
	done
	culprit list --since yesterday
	complains 2 "culprit list: --since 'yesterday': invalid time; use an age (30m, 12h, 7d) or a UTC date (2026-11-22)"
	culprit list --fingerprint xyz
	complains 2 "culprit list: --fingerprint 'xyz': expected 1 to 16 hexadecimal digits; see culprit help list"
}

@test "advice has the form that the user typed, and help shows what run itself sets" {
	fail_on_simcuda --markers off --progress off
	next=$(grep '^  next ' <<<"$stderr")
	[[ $next == *"rerun with --markers inline"* && $next != *CULPRIT_* ]]
	LD_PRELOAD=$build/lib/libculprit.so LD_LIBRARY_PATH=$simcuda CULPRIT_MARKERS=off \
		CULPRIT_PROGRESS=off run --separate-stderr ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $(grep '^  next ' <<<"$stderr") == *"rerun with CULPRIT_MARKERS=inline"* ]]
	culprit help run
	[[ $output == *"[CULPRIT_ANNOTATE, default on under culprit run, else off]"* ]]
	fail_on_simcuda --quiet --records 64k
	grep -q '"CULPRIT_RECORDS": "65536"' culprit-program-*/meta.json
}
