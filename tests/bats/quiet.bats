#!/usr/bin/env bats
# Calls that the driver refuses are printed only if the program fails.

load cli

setup_file() {
	export SIMCUDA_MEMORY_MB=64
}

# host_status WHAT [variable=value...]: standard error of the host, with the library alone.
alone() {
	local what=$1 status=0
	shift
	env LD_LIBRARY_PATH="$build/lib/simcuda" LD_PRELOAD="$build/lib/libculprit.so" "$@" \
		"$build/bin/tests/memory_host" recover "$what" >out 2>told || status=$?
	without_emulator told
	return $status
}

under_run() {
	local what=$1 status=0
	shift
	mkdir -p bundles
	LD_LIBRARY_PATH=$build/lib/simcuda "$culprit" run --dir bundles "$@" -- \
		"$build/bin/tests/memory_host" recover "$what" >out 2>told || status=$?
	without_emulator told
	return $status
}

@test "a program that recovers from what the driver refuses hears nothing" {
	local what ending
	for what in image launch pointer memory batch retry; do
		alone $what
		[[ ! -s told && $(<out) == "done" ]]
		under_run $what
		cat told
		[[ ! -s told && $(<out) == "done" ]]
		settle_in bundles
		[[ -z $(ls bundles) ]]
	done
	# A probe that nothing follows is not a failure either.
	for what in memory: image: launch:; do
		alone ${what}well
		[[ ! -s told ]]
		under_run ${what}well
		[[ ! -s told ]]
	done
}

@test "with -v what the driver refuses is printed, whether the program recovers or not" {
	alone launch CULPRIT_VERBOSE=1
	grep -q '^culprit: launch refused (1): fill from .* \[launch.grid_is_zero\]$' told
	under_run launch -v
	cat told
	(($(wc -l <told) == 2))
	grep -q '^culprit: launch refused (1): fill from .* \[launch.grid_is_zero\]$' told
	grep -q '^culprit run: 1 process used the GPU: ' told
	under_run memory:well -v
	grep -q '^culprit: out of memory: cuMemAlloc_v2 of 1.0 PiB from ' told
	(($(grep -c '^culprit' told) == 2))
	# Once, too, if it fails.
	alone launch:exit CULPRIT_VERBOSE=1 || (($? == 3))
	(($(grep -c 'launch refused' told) == 1))
	under_run launch:exit -v || (($? == 3))
	(($(grep -c 'launch refused' told) == 1))
}

# fails WHAT PATTERN: the last line but what follows is PATTERN, by itself and under culprit run.
fails() {
	local what=$1 pattern=$2 wanted=$4 status ending=${3#+} full=$3
	echo "$what:$full"
	status=0
	alone "$what:$full" || status=$?
	cat told
	((status == wanted))
	if [[ $ending != _exit && $ending != quick_exit && $ending != kill ]]; then
		grep -q "^culprit: $pattern" told
		(($(grep -c '^culprit: ' told) == 1))
	else
		[[ ! -s told ]]
	fi
	status=0
	under_run "$what:$full" || status=$?
	cat told
	((status == wanted))
	grep -q "^culprit: $pattern" told
	(($(grep -c '^culprit: ' told) == 1))
	[[ $(tail -n 1 told) =~ ^"  help            culprit explain "[a-z]+\.[a-z_]+$ ]]
	"$culprit" ${BASH_REMATCH[0]#*culprit } >/dev/null
	[[ $("$culprit" report bundles | tail -n 1) == "$(tail -n 1 told)" ]]
	# The bundle stays, and all who read it learn of the refusal.
	run -0 "$culprit" list --format tsv bundles
	[[ ${#lines[@]} == 2 && $(cut -f 6 <<<"${lines[1]}") == refused ]]
	[[ $(cut -f 7 <<<"${lines[1]}") =~ ^[0-9a-f]{16}$ ]]
	rm -rf bundles
}

@test "a program that fails hears the last refused call and what followed from it" {
	local ending wanted
	while read -r ending wanted; do
		fails launch 'launch refused (1): fill from .*: the grid.s x is 0: .* \[launch.grid_is_zero\]$' $ending $wanted
		grep -Eq '^  after that      process [0-9]+ submitted no more work; it (exited with status 3|was killed by signal [69])$' told
		fails launch 'launch refused (1): fill ' +$ending $wanted
		grep -Eq '^  after that      process [0-9]+ submitted 1 piece of work; it ' told
		[[ $ending == return || $ending == abort ]] || continue
		fails image 'image refused (200): that of memory_host, by cuModuleLoadData from .* \[image.is_none\]$' $ending $wanted
		fails pointer 'host memory refused (1): cuMemHostGetDevicePointer_v2 of ' $ending $wanted
		fails memory 'out of memory: cuMemAlloc_v2 of 1.0 PiB from .*, and no work followed \[pid [0-9]*\]$' $ending $wanted
		grep -qx '  device 0        64.0 MiB in all, 64.0 MiB free then; this process holds 4.0 KiB in 1 allocation' told
	done <<-'END'
		return 3
		exit 3
		_exit 3
		quick_exit 3
		abort 134
		kill 137
	END
}

@test "all readers name what a failed program was refused, and from where" {
	export GITHUB_WORKSPACE=$PWD
	under_run memory:exit --quiet --junit j.xml --sarif s.json --gitlab g.json || (($? == 3))
	[[ ! -s told && $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" j.xml) == "1 1" ]]
	cause='error\[2\]: out of memory: cuMemAlloc_v2 of 1.0 PiB \[refused\]'
	grep -Eq "type=\"CUDA2\" message=\"$cause" j.xml
	grep -Eq "\"ruleId\": \"CUDA2\".*$cause" s.json
	grep -Eq "$cause.*\"path\": \"[^\"]*[.]c\", \"lines\": \{\"begin\": [0-9]+" g.json
	run -0 "$culprit" report bundles
	grep -Eq '^  seen by         cuMemAlloc_v2 from [^ ]*[.]c:[0-9]+' <<<"$output"
	grep -q '^  refused         device 0        64.0 MiB in all' <<<"$output"
	grep -Eq '^                  held by         4.0 KiB in 1 allocation from [a-z_]*[.]c:[0-9]+ [a-z_]+  <- [a-z_]*[.]c:[0-9]+ ' <<<"$output"
	"$culprit" report --format json bundles | python3 -S -c '
import json, sys
report = json.load(sys.stdin)
assert report["finding"] == "refusal" and report["verdict"] is None, report["finding"]
assert report["error"] == {"code": 2, "name": "CUDA_ERROR_OUT_OF_MEMORY", "text": None}, report["error"]
'
	# Without the record the program may have recovered.
	rm bundles/*/finding.json
	run -1 "$culprit" report bundles
}

@test "a program that fails later, of something else, hears nothing of what it recovered from" {
	local what ending status
	for what in memory batch retry image; do
		for ending in exit abort kill; do
			status=0
			alone $what:+$ending || status=$?
			((status))
			[[ ! -s told ]]
			status=0
			under_run $what:+$ending || status=$?
			cat told
			((status))
			[[ ! -s told ]]
			rm -r bundles
		done
	done
}

@test "a process that fails is not reported if the command succeeds" {
	mkdir bundles
	export LD_LIBRARY_PATH=$build/lib/simcuda
	culprit run --dir bundles -- sh -c '"$1" recover launch:exit || true' sh "$build/bin/tests/memory_host"
	settle_in bundles
	[[ $status -eq 0 && -z $stderr && -z $(ls bundles) ]]
	culprit run --dir bundles -- sh -c '"$1" recover launch; exit 4' sh "$build/bin/tests/memory_host"
	settle_in bundles
	[[ $status -eq 4 && -z $stderr && -z $(ls bundles) ]]
	culprit run --dir bundles -- sh -c '"$1" recover launch:exit' sh "$build/bin/tests/memory_host"
	[[ $status -eq 3 && $stderr == *"launch refused"* ]]
	(($(ls bundles | wc -l) == 1))
}

@test "a failed Python program's report names what it ran out of, with its line" {
	cat >hoard.py <<-'END'
		import ctypes, sys
		cuda = ctypes.CDLL("libcuda.so.1")
		context, data = ctypes.c_void_p(), ctypes.c_void_p()
		assert not cuda.cuInit(0)
		assert not cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
		assert not cuda.cuCtxSetCurrent(context)
		result = cuda.cuMemAlloc_v2(ctypes.byref(data), ctypes.c_size_t(1 << 40))
		if sys.argv[1] == "raise":
		    raise MemoryError(result)
		sys.exit(int(sys.argv[1]))
	END
	need_preload python3
	export LD_LIBRARY_PATH=$build/lib/simcuda
	local how status
	for how in 0 1 3 raise; do
		status=0
		LD_PRELOAD=$build/lib/libculprit.so python3 hoard.py $how 2>alone || status=$?
		[[ $status == "${how/raise/1}" ]]
		status=0
		"$culprit" run --dir . -- python3 hoard.py $how 2>told || status=$?
		cat alone told
		[[ $status == "${how/raise/1}" ]]
		if ((status)); then
			grep -q '^culprit: out of memory: cuMemAlloc_v2 of 1.0 TiB from hoard.py:7 <module>, ' alone
			grep -q '^culprit: out of memory: cuMemAlloc_v2 of 1.0 TiB from hoard.py:7 <module>, ' told
		else
			[[ ! -s alone && ! -s told ]]
		fi
	done
	run -0 "$culprit" list --format tsv .
	[[ ${#lines[@]} == 4 && $(grep -c 'hoard.py:7 <module>' <<<"$output") == 3 ]]
}
