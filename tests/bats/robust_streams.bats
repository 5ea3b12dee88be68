#!/usr/bin/env bats
# Hosts that wear out streams, events, contexts, modules and memory.

load robust

# flat SCENARIO LAUNCH: memory stays flat, and that launch is found. Short rings: their pages are
# not what is measured.
flat() {
	CULPRIT_RECORDS=256 fails_as_ever "$1"
	verdict "exact: launch #$2, stray_store"
}

# rows KIND: how many there are, lost ones included.
rows() {
	"$culprit" dump -F "$1" bundles/* | awk '/^# / { print $3 + $5 }'
}

@test "20,000 streams, synchronised, waited for or left alone: rows are used again" {
	for scenario in streams_synchronised streams_by_event streams_left_alone; do
		flat $scenario 40001
		echo "rows: $(rows streams)"
		(($(rows streams) < 4000))
		rm -r bundles/*
	done
}

@test "a stream in the row of one that was only given a wait: that wait is not its own" {
	unharmed row_of_waiting_stream
	verdict "exact: launch #[0-9]+, stray_store"
	(($(rows streams) == 2))
}

@test "10,000 streams at once: the verdict is right" {
	flat streams_alive 40001
	size 16384
}

@test "more streams than rows: memory stays flat, no verdict claims what it cannot know" {
	CULPRIT_RECORDS=256 fails_as_ever too_many_streams
	verdict "(unknown|narrowed)"
	(($(rows streams) > 17000))
}

@test "1,200 contexts one after the other: their rows and memory are used again" {
	not_emulated "this takes minutes, and rows are as many on each processor"
	flat many_contexts 14401
	(($(rows contexts) < 10 && $(rows streams) < 20 && $(rows channels) < 20))
	(($("$culprit" dump -F ranges bundles/* | grep -c 'state=live') == 1))
}

@test "20,000 events, 2,000 modules, 200,000 allocations: memory stays flat" {
	flat many_events 60001
	flat many_modules 2001
	flat many_allocations 1
}

@test "two threads exchange the handles of their kernels: arguments are each kernel's own" {
	export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES=glibc.malloc.tcache_count=0
	CULPRIT_KEEP=always unharmed modules_exchanged
	# Handles were reused for the other kernel.
	"$culprit" dump -F functions bundles/* | awk '
		/ handle=/ { name = $5; if (names[$3] && names[$3] != name) n++; names[$3] = name }
		END { print n " exchanged"; exit n < 10 }'
}

@test "2,000,000 launches: memory stays flat, the fault at the end is found" {
	not_emulated "this takes minutes, and rows are as many on each processor"
	# A driver that forgets all work, and then fails as if the last launch had been the bad one.
	export SIMCUDA_NULL=1 SIMCUDA_INJECT=cuCtxSynchronize:2:700:sticky
	flat many_launches 2000001
}

@test "a host that keeps using streams after the failure takes nothing from the report" {
	CULPRIT_MARKERS=off unharmed stream_goes_on
	verdict "exact: launch #4, stray_store"
	"$culprit" report bundles/* | tee report.txt
	grep -q -- "— exact: launch #4, stray_store" report.txt
}
