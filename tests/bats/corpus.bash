# Shared by the bats files that run the fault corpus. CULPRIT_BUILD names the build folder,
# CULPRIT_TEST_DRIVER the driver: simcuda (the default) or gpu.

load emulator

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
driver=${CULPRIT_TEST_DRIVER:-simcuda}
table=$root/kernels/faults.tsv

if [[ $driver == simcuda ]]; then
	export LD_LIBRARY_PATH=$build/lib/simcuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

# field SCENARIO COLUMN: one value of faults.tsv.
field() {
	awk -F'\t' -v name="$1" -v column="$2" '
		$1 == "scenario" { for (i = 1; i <= NF; i++) if ($i == column) wanted = i }
		$1 == name { print $wanted }' "$table"
}

# Names of all scenarios that the driver-API programs run.
driver_scenarios() {
	awk -F'\t' '/^#/ || $1 == "scenario" { next } $10 ~ /driver/ { print $1 }' "$table"
}

# run_corpus BUILD ARGUMENT...: the corpus program of that build, without culprit.
run_corpus() {
	local program=$build/bin/corpus extra
	[[ $1 == linked ]] || program+=-$1
	extra=$(field "${*: -1}" environment)
	[[ $driver == simcuda && $extra && $extra != - ]] && local -x "${extra?}"
	shift
	run timeout -k 5 300 "$program" "$@"
}
