#!/usr/bin/env bats
# scripts/gpu corpus and scripts/corpus-cell, with stand-ins for the programs: what they run, what
# they survive, and when they fail.

load corpus

setup() {
	fake=$BATS_TEST_TMPDIR/build
	mkdir -p "$fake/bin" "$fake/lib"
	export OUT=$BATS_TEST_TMPDIR/out
	write_program corpus <<-'SH'
		if [ "$1" = --truth ]; then
			echo '{"scenario": "stray_store", "kind": "kernel", "kernel": "stray_store",' \
				'"tag": 42, "function": "stray_store", "file": "faults.c",' \
				'"line": 7}' >"$2"
		fi
		printf 'cuCtxSynchronize 700\nfailed: 700\n'
		exit 1
	SH
	write_program throwing-destructor <<-'SH'
		[ "$UNDER_CULPRIT" ] || kill -ABRT $$
		echo "caught: cuStreamSynchronize returned 700"
		exit 1
	SH
	write_culprit 2a
}

write_program() {
	{ echo '#!/bin/sh' && cat; } >"$fake/bin/$1"
	chmod +x "$fake/bin/$1"
}

# A culprit that always blames the launch with this tag (hexadecimal), from the right line.
write_culprit() {
	write_program culprit <<-SH
		if [ "\$1" = run ]; then
			shift 2
			mkdir "\$CULPRIT_DIR/culprit-\$\$"
			UNDER_CULPRIT=1 exec "\$@"
		fi
		echo '{"verdict": "likely", "error": {"code": 700}, "n_suspects": 1, "suspects":
			[{"submission": 12, "kind": "launch", "kernel": "stray_store",
			"arguments": [{"index": 0, "size": 4, "hex": "${1}000000"}],
			"stack": [{"function": "stray_store", "file": "faults.c", "line": 7}]}]}'
	SH
}

gpu_corpus() {
	run "$root/scripts/gpu" corpus --driver simcuda --build-dir "$fake" --builds linked \
		--only '^stray_store$' "$@"
	echo "$output"
}

@test "the right verdict: status 0, a table, nothing in the details" {
	gpu_corpus --schemes side
	((status == 0))
	[[ ${lines[-1]} == "1 cells: 1 ok" ]]
	grep -q '^| stray_store | linked | side | stray_store, stray_store faults.c:7 | likely |' \
		"$OUT/RESULTS.md"
	[[ ! -s $OUT/details.txt ]]
}

@test "a wrong verdict: status 1, and the details say why" {
	write_culprit 2b
	gpu_corpus --schemes side
	((status == 1))
	[[ ${lines[-1]} == "1 cells: 1 WRONG" ]]
	grep -q '^==== stray_store linked side: WRONG' "$OUT/details.txt"
	grep -q '2b000000' "$OUT/details.txt"
}

@test "a program that hangs: its cells fail, the run continues" {
	write_program corpus <<<'case "$*" in *store) exec sleep 1000 ;; esac; exit 3'
	CORPUS_TIMEOUT=5 run timeout 300 "$root/scripts/gpu" corpus --driver simcuda --build-dir "$fake" \
		--builds linked --only '^stray_(store|load)$' --schemes side
	echo "$output"
	[[ ${lines[-1]} == "2 cells: 2 FAILED" ]]
	[[ $output == *"ended with status 124"* && $output == *"ended with status 3"* ]]
}

@test "programs that are not built are named, not skipped in silence" {
	run "$root/scripts/gpu" corpus --driver simcuda --build-dir "$fake" --builds dlopen \
		--only '^stray_store$'
	[[ $output == *"the program is not built"* && ${lines[-1]} == "4 cells: 4 FAILED" ]]
}

@test "--coredump: markers auto, core dumps on, and each row says what became of the dump" {
	sed -i 's/^echo .{"verdict/[ "$CULPRIT_COREDUMP" = on ] || exit\n&/; s/"error": /"coredump": {"used": true}, &/' \
		"$fake/bin/culprit"
	gpu_corpus --coredump
	((status == 0))
	[[ ${lines[-1]} == "1 cells: 1 ok" ]]
	grep -q '^| stray_store | linked | auto | .* | likely | 1 | used | 700 |' "$OUT/RESULTS.md"
	gpu_corpus --schemes auto
	[[ ${lines[-1]} == "1 cells: 1 LOST" ]]
}

@test "--cuda12: the programs that there are, by door and toolkit" {
	cp "$fake/bin/corpus" "$fake/bin/corpus-dlopen-12.6"
	cp "$fake/bin/corpus" "$fake/bin/corpus-cudart-12.4-shared"
	run "$root/scripts/gpu" corpus --driver simcuda --build-dir "$fake" --only '^stray_store$' --cuda12
	echo "$output"
	((status == 0))
	[[ ${lines[-1]} == "1 cells: 1 ok" ]]
	grep -q '^| stray_store | dlopen-12.6 | auto |' "$OUT/RESULTS.md"
}

@test "no time left: what was not run is said" {
	gpu_corpus --budget 0
	[[ $output == *"no time was left"* && ${lines[-1]} == "4 cells: 4 FAILED" ]]
}

@test "a throwing destructor that still terminates: status 1" {
	write_program throwing-destructor <<<'kill -ABRT $$'
	gpu_corpus --schemes side
	((status == 1))
	[[ $output == *"under culprit (-6, '')"* ]]
}

@test "corpus-cell: wrong usage is one line and status 2" {
	run "$root/scripts/corpus-cell" --build-dir "$fake" stray_store
	[[ $status == 2 && $output == "corpus-cell: SCENARIO, BUILD"* ]]
	run "$root/scripts/corpus-cell" --nonsense x stray_store linked side
	[[ $status == 2 && $output == "corpus-cell: unknown option --nonsense" ]]
	run "$root/scripts/corpus-cell" --build-dir "$fake" stray_store dlopen side
	[[ $status == 2 && $output == *"corpus-dlopen is not built" ]]
}
