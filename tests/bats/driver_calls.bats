#!/usr/bin/env bats
# scripts/update-driver-calls on copies of the tree's tables, with a cuda.h that has a call more.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# The tree that every test changes a copy of: made once, because each update takes a second.
setup_file() {
	export headers
	headers=$("$root/scripts/find-cuda") || skip "no CUDA headers"
	mkdir "$BATS_FILE_TMPDIR/tree"
	cd "$BATS_FILE_TMPDIR/tree" || return 1
	mkdir -p scripts core/base include
	cp "$root/scripts/update-driver-calls" "$root/scripts/call-roles.tsv" scripts/
	ln -s "$headers"/* include/
	rm include/cuda.h
	cp "$headers/cuda.h" include/cuda.h
	touch core/base/driver_calls.def
	drop_rows_of_newer
	update # so that only what a test adds is new
}

setup() {
	cp -a "$BATS_FILE_TMPDIR/tree/." "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return 1
}

drop_rows_of_newer() {
	update
	[[ $output != *"match no entry point: "* ]] || {
		tr ',' '\n' <<<"${output##*: }" | sed 's/^ *//; s/$/\t/' >newer
		grep -vFf newer scripts/call-roles.tsv >table
		mv table scripts/call-roles.tsv
	}
}

update() {
	run scripts/update-driver-calls --cuda-include include "$@"
	printf '%s\n' "${lines[@]:0:20}"
}

add_call() {
	sed -i "s/^CUresult CUDAAPI cuStreamQuery(/CUresult CUDAAPI $1(CUstream stream);\n&/" include/cuda.h
}

@test "a new call is reported with its role and the row that gave it" {
	add_call cuStreamPonder
	update --check
	[[ $status -eq 1 && $output == *"is stale"* ]]
	update
	[[ $status -eq 0 && $output == "new: cuStreamPonder plain, by the row cuStream*" ]]
	update
	[[ $status -eq 0 && -z $output ]]
	update --check
	[[ $status -eq 0 && -z $output ]]
	sed -i 's/^cuStreamSynchronize\t/cuStreamPonder\tsync\n&/' scripts/call-roles.tsv
	update
	[[ $status -eq 0 && $output == "changed: cuStreamPonder sync, by the row cuStreamPonder" ]]
}

@test "a call that no row of the table knows" {
	add_call cuPonder
	update
	[[ $status -eq 1 && $output == *"cuPonder has no role: add a row to scripts/call-roles.tsv" ]]
}

@test "a row of the table that no call reaches" {
	add_call cuStreamPonder
	printf 'cuStreamPonder\tsync\n' >>scripts/call-roles.tsv
	update
	[[ $status -eq 1 ]]
	[[ $output == *"is never reached: cuStreamPonder; move it before cuStream*, which takes cuStreamPonder" ]]
	printf 'cuNothing*\tplain\n' >scripts/call-roles.tsv
	cat "$root/scripts/call-roles.tsv" >>scripts/call-roles.tsv
	update
	[[ $status -eq 1 && $output == *"match no entry point: cuNothing*"* ]]
}

@test "cuda-news: what newer headers bring, and what of it wants a person" {
	run "$root/scripts/cuda-news" "$headers" include
	[[ $status -eq 0 && $output == *"0 to decide" ]]
	add_call cuStreamPonder
	sed -i 's/^CUresult CUDAAPI cuStreamQuery(CUstream hStream)/CUresult CUDAAPI cuStreamQuery(int hStream)/
		s/^typedef struct CUlaunchConfig_st {/&\n    long long more[2];/
		s/ CU_GRAPH_NODE_TYPE_BATCH_MEM_OP *= 12/ CU_GRAPH_NODE_TYPE_PONDER = 99,\n&/' include/cuda.h
	run "$root/scripts/cuda-news" "$headers" include
	echo "$output"
	[[ $status -eq 1 && $output == *"4 to decide" ]]
	[[ $output == *"decide  new        cuStreamPonder  plain, by the row cuStream*"* ]]
	[[ $output == *"decide  changed    cuStreamQuery"*"(CUstream) -> (int)"* ]]
	[[ $output == *"decide  size       CUlaunchConfig: 56 -> 72 bytes  <- used in shim/call/describe.c"* ]]
	[[ $output == *"decide  value      CUgraphNodeType CU_GRAPH_NODE_TYPE_PONDER"* ]]
	run "$root/scripts/cuda-news" "$headers" nowhere
	[[ $status -eq 2 && $output == *"no cuda.h in nowhere"* ]]
}
