#!/usr/bin/env bats
# Real Python clients on simcuda, each with and without culprit: PyCUDA and cuda-python, from the
# environment that scripts/make-clients makes. The programs are in tests/clients.

load cli

clients=$build/${CULPRIT_CLIENTS:-clients} # or clients-cuda12: scripts/make-clients --cuda12
programs=$root/tests/clients
kernels=$build/lib/simcuda-kernels

setup() {
	[[ -e $clients/fingerprint ]] ||
		skip "the Python clients are not here: run scripts/make-clients"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS PYTHONPATH
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda PYTHONDONTWRITEBYTECODE=1
	# PyCUDA's compiler, which would otherwise find what it compiled for another driver.
	export PATH=$programs/simcuda:$PATH PYCUDA_DISABLE_CACHE=1
}

# both STATUS PROGRAM ARGUMENT...: runs it without culprit, output in plain.out and plain.err, and
# with it, in ours.out and ours.err. Both must exit with that status and print the same, except for
# what the test checks itself: culprit's lines, and PyCUDA's warnings about its cleanup.
both() {
	local status=$1 program=$programs/$2.py ended
	shift 2
	ended=0
	"$clients/venv/bin/python" "$program" "$@" >plain.out 2>plain.err || ended=$?
	[[ $ended -eq $status ]] || { cat plain.err; return 1; }
	ended=0
	SIMCUDA_TRUTH=$PWD/truth "$culprit" run --markers inline -- \
		"$clients/venv/bin/python" "$program" "$@" >ours.out 2>ours.err || ended=$?
	[[ $ended -eq $status ]] || { cat ours.err; return 1; }
	diff <(grep -v '^cleanup' plain.out) <(grep -v '^cleanup' ours.out)
	diff <(without_culprit plain.err | without_warnings) <(without_culprit ours.err)
}

# Every message of the library and the command starts a line with the name. Later lines are indented
# as Python's traceback never is: with a word and its column.
without_culprit() {
	grep -vE '^culprit: |^culprit run: 1 process used the GPU: |^  [a-z ]{14}  ?[^ ]|^                  |^  [^ ]+<<<' "$1" |
		sed -E 's/ \(culprit: .*, [a-z]+\)//'
}

without_warnings() {
	sed '/^PyCUDA WARNING: a clean-up operation failed/,+1d'
}

# warned CALL...: without culprit, PyCUDA warned about each of these calls; with it, about none.
warned() {
	local call
	for call; do
		grep -A1 '^PyCUDA WARNING: a clean-up operation failed' plain.err |
			grep -q "^$call failed" || { echo "no warning about $call"; return 1; }
	done
	run ! grep -n 'WARNING\|clean-up operation' ours.err
}

# blames PROGRAM: the verdict is the truth.
blames() {
	"$culprit" report --format json culprit-* >report.json
	"$programs/check-verdict" "$programs/$1.py" truth report.json
}

@test "PyCUDA: cleanup of every kind after a kernel's stray store" {
	both 1 pycuda_cleanup
	tail -n 2 ours.err
	grep -q '^pycuda._driver.LogicError: cuStreamSynchronize failed: an illegal' ours.err
	warned cuModuleUnload cuMemFree cuStreamDestroy cuEventDestroy cuMemFreeHost \
		cuTexRefDestroy cuArrayDestroy
	blames pycuda_cleanup
}

@test "PyCUDA: a context that cannot be given back any more" {
	export SIMCUDA_INJECT=cuCtxDetach:1:700
	both 1 pycuda_cleanup
	warned cuCtxDetach
}

@test "PyCUDA: a launch failure is LaunchError, and its text names the culprit" {
	both 1 pycuda_trap
	grep -qx 'pycuda._driver.LaunchError: cuMemcpyDtoH failed: unspecified launch failure (culprit: check, exact)' ours.err
	warned cuModuleUnload cuMemFree
	blames pycuda_trap
}

# A block of console output in docs/pycuda.md: the one that begins with this command.
shown_on_page() {
	awk -v command="$ $1" '
		/^```/ { inside = 0 }
		inside { print }
		$0 == command { inside = 1 }' "$root/docs/pycuda.md"
}

# Numbers and folders are a run's own; newer Pythons underline the call in their tracebacks.
without_numbers() {
	sed -E '/^ +[~^]+$/d; s/0x[0-9a-f]+/0xN/g; s/[0-9]+/N/g; s|"[^" ]*/|"|g
		s|"python [^ "]*/|"python |; s/(, child of .*, on ).*/\1HOST/'
}

# Whether the progress counters are read in time depends on the machine's load.
without_counters() {
	grep -v '^ *\(evidence *\)\?driver progress: ' || true
}

@test "PyCUDA: docs/pycuda.md shows what its program prints, before and after" {
	[[ ${SIMCUDA_DRIVER-} != 12.[0-3] ]] || skip "this driver does not tell the arguments"
	cp "$programs/pycuda_trap.py" .
	programs=$PWD both 1 pycuda_trap
	diff <(shown_on_page 'python pycuda_trap.py' | without_numbers) \
		<(without_numbers <plain.err)
	diff <(shown_on_page 'CULPRIT_REPORT=full culprit run --markers inline -- python pycuda_trap.py' |
		without_numbers | without_counters) <(without_numbers <ours.err | without_counters)
}

@test "PyCUDA: gpuarray without a memory pool" {
	both 1 pycuda_arrays plain
	warned cuModuleUnload cuMemFree
	blames pycuda_arrays
}

@test "PyCUDA: gpuarray with a memory pool" {
	both 1 pycuda_arrays pool
	warned cuModuleUnload cuMemFree
	blames pycuda_arrays
}

@test "cuda-python: an array of the host where the GPU's memory should be, and refused calls about it" {
	CULPRIT_VERBOSE=1 both 1 cuda_python_host "$kernels/stray_store.so"
	diff - ours.out <<-'END'
		pointer 1
		unregister 713
		load 222
		synchronize 700
	END
	cat ours.err
	grep -Eq '^culprit: host memory refused \(1\): cuMemHostGetDevicePointer_v2 of 0x[0-9a-f]* from [^ ]*cuda_python_host.py:[0-9]+ run.*: CUDA knows no memory there \[host.not_registered\]$' ours.err
	grep -Eq '^culprit: host memory refused \(713\): .* \[host.not_registered\]$' ours.err
	grep -Eq '^culprit: image refused \(222\): one made at run time, by cuModuleLoadData from .*: its PTX is of version 99.0, .* \[image.ptx_too_new\]$' ours.err
	grep -Eq "^ +1: 0x[0-9a-f]* = the program's own memory.*, not registered: device 0 cannot access it\$" ours.err
	blames cuda_python_host
}

@test "PyCUDA: mapped host memory keeps what was written before the failure" {
	both 1 pycuda_mapped
	[[ $(tail -n 1 ours.out) == 'words [0 7 0]' ]]
	warned cuModuleUnload cuMemFreeHost
	blames pycuda_mapped
}

# explained CONTEXT-LINE REASON: the line before PyCUDA's abort, once, after PyCUDA's own.
explained() {
	local line
	line=$(grep -n '# context$' "$programs/pycuda_unpopped.py")
	[[ $(grep -c '^culprit: PyCUDA aborts' ours.err) -eq 1 ]]
	grep -q "^culprit: PyCUDA aborts: context 0x[0-9a-f]* of device 0, current since \
cuCtxCreate_v[0-9] from [^ ]*pycuda_unpopped.py:${line%%:*} main, is still on its stack: $1\$" ours.err
	grep -A12 'ERROR: The context stack was not empty' ours.err | grep -q '^culprit: PyCUDA aborts'
}

@test "PyCUDA: an abort is explained where a context was never popped" {
	both 134 pycuda_unpopped clean
	explained 'Context.pop() was not called for it'
	[[ -z $(compgen -G 'culprit-*') ]]
}

@test "PyCUDA: an abort is explained if a failure came before the pop" {
	both 134 pycuda_unpopped failed
	explained 'the failure above came before Context.pop()'
	warned cuModuleUnload cuMemFree
	blames pycuda_unpopped
}

@test "PyCUDA: an abort is explained if a thread exits with its context" {
	both 134 pycuda_unpopped thread
	explained 'Context.pop() was not called for it'
}

@test "PyCUDA: no word where it does not abort" {
	both 0 pycuda_unpopped popped
	[[ ! -s ours.err ]]
	both 134 pycuda_unpopped other
	run ! grep 'culprit' ours.err
}

@test "PyCUDA: the library alone explains the abort, and leaves no bundle of a sound process" {
	local ended=0
	LD_PRELOAD=$build/lib/libculprit.so "$clients/venv/bin/python" \
		"$programs/pycuda_unpopped.py" clean >ours.out 2>ours.err || ended=$?
	[[ $ended -eq 134 ]]
	explained 'Context.pop() was not called for it'
	[[ -z $(compgen -G 'culprit-*') ]]
}

@test "cuda-python: a failure through the driver's bindings" {
	both 1 cuda_python_driver "$kernels/stray_store.so"
	grep -q '^cleanup\( CUDA_ERROR_ILLEGAL_ADDRESS\)\{6\}$' plain.out
	grep -q '^cleanup\( CUDA_SUCCESS\)\{6\}$' ours.out
	grep -A1 '^RuntimeError: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access' ours.err |
		grep -q '^culprit: .* launch #[0-9]*, stray_store at .*cuda_python_driver.py:[0-9]* \[pid [0-9]*\]$'
	blames cuda_python_driver
}

@test "PyCUDA's cleanup of OpenGL's and other processes' memory" {
	local call
	for call in cuGLUnmapBufferObject cuGLUnmapBufferObjectAsync cuGLUnregisterBufferObject \
		cuGraphicsUnmapResources cuGraphicsUnregisterResource cuIpcCloseMemHandle; do
		SIMCUDA_INJECT+=${SIMCUDA_INJECT:+,}$call:1:700
	done
	export SIMCUDA_INJECT
	both 0 other_cleanup "$kernels/stray_store.so"
	grep -qx 'synchronize 700' ours.out
	grep -qx 'cleanup 700 700 700 700 700 700' plain.out
	grep -qx 'cleanup 0 0 0 0 0 0' ours.out
	blames other_cleanup
}
