#!/usr/bin/env bats
# Hosts that leave the driver's calls without returning, and hosts that wait in them for a long
# time. No other call waits for that, and none is lost to the verdict.

load robust

# The queue is short, so that a launch can wait as well.
@test "calls left by a jump out of a signal's handler: later ones are as quick, none is lost" {
	SIMCUDA_QUEUE_DEPTH=40 unharmed calls_left
	lacks '^(slow|not left)' under.out
	# Launches that other threads made while a lock was left behind have no known place.
	verdict "(exact: launch #[0-9]+, stray_store|narrowed: one of [0-9]+ launches, most likely #[0-9]+ stray_store )"
	warnings 0
	# Left waits only: nothing was submitted, and nothing is unknown.
	LEFT_KIND=1 unharmed calls_left
	verdict "exact: launch #[0-9]+, stray_store"
}

@test "threads cancelled in calls: their rings are used again, later launches are as quick" {
	SIMCUDA_QUEUE_DEPTH=40 unharmed calls_cancelled
	lacks '^slow' under.out
	verdict "exact: launch #[0-9]+, stray_store"
	(($(rings) <= 4))
}

@test "launches beside another thread's copy do not wait for it" {
	unharmed launches_beside_copy
	lacks '^slow' under.out
	verdict "exact: launch #[0-9]+, stray_store"
}

@test "launches without a number, as another thread holds the stream for long, are numbered later" {
	SIMCUDA_QUEUE_DEPTH=20 unharmed launches_beside_held
	verdict "exact: launch #[0-9]+, stray_store"
	warnings 0
}

# told ARGUMENT...: runs under culprit, which tells the host when it waits.
told() {
	status=0
	LD_PRELOAD="$build/lib/libtold_yields.so $shim" timeout -k 1 300 "$robust" "$1" >under.out 2>under.err ||
		status=$?
	cat under.out under.err
	((status == 1))
	verdict '(exact: launch #[0-9]+, stray_store|narrowed: )'
	grep -q '^ .*stray_store' under.err # it is among the suspects, if not the first one
}

# A launch on its way reaches the driver before the stream, kernel or context that it uses is
# destroyed, as without culprit. This holds even if culprit sees that object for the first time.
@test "destroyed streams, kernels and contexts first let launches on their way to them pass" {
	export SIMCUDA_DEVICES=2
	told ends_beside_launches
	(($(grep -c ': launch 0, end 0$' under.out) == 7))
}

@test "a launch that was left on its way is waited for once" {
	told ends_beside_left
	grep -qx 'waited 1' under.out
	grep -qx 'waited again 0' under.out
}

@test "the driver is asked nothing about a stream that has just been destroyed, or went with its context" {
	export CUDA_LOG_FILE=refused
	unharmed late_in_streams
	verdict "exact: launch #[0-9]+, stray_store"
	cat refused
	(($(grep -c ': 400$' refused) == 12))
	lacks 'cuStreamGet|cuStreamIsCapturing' refused
}

# simcuda ends a process that asks about an unloaded kernel, as NVIDIA's driver may.
@test "the driver is not asked about kernels whose module or library was unloaded" {
	unharmed late_launches
	verdict "exact: launch #[0-9]+, stray_store"
	(($(grep -c ' before: 400$' under.out) == 12))
}

@test "the driver is not asked about unloaded kernels at a later synchronisation" {
	unharmed sync_after_unload
	verdict "exact: launch #[0-9]+, stray_store"
}

# The answers take longer than an unload waits for launches on their way.
@test "code that the driver is being asked about is not unloaded before it has answered" {
	local host
	for host in asked_while_unloading refused_while_unloading; do
		SIMCUDA_ASK_US=8000 unharmed "$host"
		verdict "exact: launch #[0-9]+, stray_store"
	done
}

# The driver loads a kernel's code if it is asked for its function, and may wait for the GPU then. The
# process fails as soon as it is asked, as the next wait tells.
@test "the driver is asked about a kernel's code only after its launch, and not if the program reads the log" {
	export SIMCUDA_INJECT=cuKernelGetFunction:1:719:sticky
	for ROBUST_FIRST in refused captured instantiated added logged logged-early; do
		export ROBUST_FIRST
		unharmed first_launch
		[[ ! -s under.err ]]
	done
	for ROBUST_FIRST in launched {refused,captured,added}-launched graph; do
		plain first_launch
		under first_launch
		grep -x 'cuCtxSynchronize 719' under.out
		grep -x 'cuCtxSynchronize 0' plain.out
	done
}
