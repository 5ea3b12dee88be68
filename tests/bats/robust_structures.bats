#!/usr/bin/env bats
# Launches whose parameters are structures of 216, 1,000 and 4,000 bytes, as libraries pass them.

load robust

@test "a structure that a launch was given is shown with the memory that it points to" {
	unharmed structures
	verdict "exact: launch #901, structure_4000"
	"$culprit" report bundles/* >report.txt
	cat report.txt
	grep -Eq "^  +1: 4000 bytes 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \.\.\.$" report.txt
	grep -Eq "^  +1 \+ 3992: 0x[0-9a-f]+ = allocation #3 \+ 8 \(4 KiB, from " report.txt
	(($(grep -c "1 + " report.txt) == 1))
	(($("$culprit" dump -F whole-arguments bundles/* | grep -c "^arguments .* size=4008 ") > 80))
}

@test "kill -9: the newest structures are in the bundle" {
	under structures_killed
	((status == 137))
	"$culprit" dump -F whole-arguments bundles/* >dump.txt
	for size in 224 1008 4008; do
		(($(grep -c "size=$size " dump.txt) > 80))
	done
	(($(grep -c "^arguments " dump.txt) == 256))
	lacks "time=-" dump.txt
}

@test "structures of several versions of CUDA: no memory after them is touched" {
	unharmed structure_sizes
	verdict "exact: launch #[0-9]*, stray_store"
	SIMCUDA_DRIVER=12.4 unharmed structure_sizes
	verdict "exact: launch #[0-9]*, stray_store"
	CULPRIT_GRAPH_MARKERS=every unharmed structure_sizes
	verdict "exact: launch #[0-9]*, stray_store"
}
