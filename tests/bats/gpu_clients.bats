#!/usr/bin/env bats
# scripts/gpu clients, with stand-ins for the program and the command: what it says about a verdict,
# and when it fails.

bats_require_minimum_version 1.5.0

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	fake=$BATS_TEST_TMPDIR/build
	mkdir -p "$fake/bin" "$fake/lib"
	export OUT=$BATS_TEST_TMPDIR/out
	write_program corpus-cudart-static <<-'SH'
		echo '{"scenario": "stray_store", "kind": "kernel", "kernel": "stray_store", "tag": 42,
			"function": "run_stray_store", "file": "runtime.cu", "line": 105}' |
			tr -d '\n' >"$2"
		echo "cudaDeviceSynchronize 700"
		exit 1
	SH
	write_culprit 105 exact
}

write_program() {
	{ echo '#!/bin/sh' && cat; } >"$fake/bin/$1"
	chmod +x "$fake/bin/$1"
}

# A culprit that blames this line of runtime.cu; with markers "auto" its verdict is $2.
write_culprit() {
	write_program culprit <<-SH
		if [ "\$1" = run ]; then
			mkdir "\$CULPRIT_DIR/culprit-\$3"
			shift 4
			exec "\$@"
		fi
		verdict=$2
		case \$4 in
		*-inline) verdict=exact ;;
		esac
		echo '{"verdict": "'\$verdict'", "error": {"code": 700}, "n_suspects": 3, "suspects":
			[{"name": "stray_store", "stack": [{"file": "device_functions.h", "line": 1},
			{"file": "runtime.cu", "line": $1}]}]}'
	SH
}

# clients STATUS REGEX [ROWS]: the exit status, and a row of the table.
clients() {
	run -"$1" "$root/scripts/gpu" clients --build-dir "$fake" \
		--only "${3:-^corpus-cudart-static stray_store}"
	echo "$output"
	cat "$OUT/CLIENTS.md"
	grep -Eq "$2" "$OUT/CLIENTS.md"
}

@test "the right line: status 0, and both lines side by side" {
	clients 0 '\| 700 \| exact \| auto \| .* \| runtime.cu:105 \| cudaDeviceSynchronize \| ok \|$'
	[[ ! -s $OUT/clients-details.txt ]]
}

@test "another line: status 1, what was meant, and the details" {
	write_culprit 106 exact
	clients 1 '\| runtime.cu:106 \| cudaDeviceSynchronize \| runtime.cu:105 was meant \|$'
	grep -q '^cudaDeviceSynchronize 700$' "$OUT/clients-details.txt"
}

@test "a narrowed verdict is followed with inline markers" {
	write_culprit 105 narrowed
	clients 0 '\| 700 \| exact \| inline \| '
}

@test "no verdict, another exit status, or a program that is not there: status 1" {
	write_culprit 105 unknown
	clients 1 'no suspect is named \|$'
	write_culprit 105 exact
	sed -i 's/exec "\$@"/"$@"; exit 0/' "$fake/bin/culprit"
	clients 1 'exit status 0 under culprit, 1 plain \|$'
	rm "$fake/bin/corpus-cudart-static"
	clients 1 '\| failed: FileNotFoundError'
}

@test "a client that is not installed is skipped, with the reason" {
	mkdir "$BATS_TEST_TMPDIR/modules"
	export PYTHONPATH=$BATS_TEST_TMPDIR/modules
	python3 -c 'import numba' 2>/dev/null && skip "numba is here"
	clients 0 '\| skipped: numba.cuda is not installed \|$' '^numba_kernels store'
}
