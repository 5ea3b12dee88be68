#!/usr/bin/env bats
# Is it the hardware? Reports, bundles and doctor with a simulated NVML (SIMNVML, see
# tests/simcuda/README.md). tests/unit/hardware/ has the wording.

load cli

# The device's UUID on simcuda, and its GPU's bus ID.
uuid=73696d63-7564-612d-6465-766963652d00
pci=00000000:01:00.0

with_nvml() {
	export CULPRIT_REPORT=full
	LD_LIBRARY_PATH=$build/lib/simcuda:$build/lib/simnvml "$@"
}

# fails SIMNVML ARGUMENT...: a program fails on the GPU under culprit run, after NVML is ready. Its
# report is in $stderr.
fails() {
	local words=$1
	shift
	[[ -e $build/lib/simnvml/libnvidia-ml.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	cp --remove-destination "$build/bin/corpus" program
	[[ -p ready ]] || mkfifo ready
	SIMNVML=$words SIMNVML_READY=$PWD/ready with_nvml culprit run "$@" -- sh -c \
		'read -r line <ready; exec "$0" "$@"' ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr == *"exact: launch #12, stray_store"* ]]
}

# fails_alone SIMNVML: the same, where NVML never gets ready.
fails_alone() {
	cp --remove-destination "$build/bin/corpus" program
	SIMNVML=$1 with_nvml culprit run -- ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr == *"exact: launch #12, stray_store"* ]]
}

@test "hardware: a fault of the program, in every form of the report" {
	fails xid=31
	line="no ECC errors, no remapped rows, no NVLink errors, no Xid except 31 on GPU 0"
	says "  hardware        $line"
	unset CULPRIT_REPORT
	culprit report
	[[ $output == *"  hardware "*" $line"$'\n'* ]]
	[[ $(stat -c %a culprit-*/hardware.json) == 600 ]]
	culprit report
	[[ $output == *"$line"* ]]
	culprit report --format html
	[[ $output == *"$line"* ]]
	culprit report --format markdown
	[[ $output == *"$line"* ]]
	culprit report --format json
	echo "$output" >report.jsonl
	python3 - "$uuid" "$pci" <<-'PY'
		import json, sys
		hardware = json.load(open("report.jsonl"))["hardware"]
		gpu, = hardware["gpus"]
		assert (gpu["uuid"], gpu["pci"], gpu["index"]) == (sys.argv[1], sys.argv[2], 0), gpu
		assert gpu["before"]["ecc_corrected"] == gpu["after"]["ecc_corrected"] == 0
		assert gpu["after"]["pages_retired"] == "not_supported"
		event, = hardware["events"]
		assert (event["kind"], event["xid"], hardware["points_to"]) == ("xid", 31, "program")
	PY
	culprit report --format json --redact
	[[ $output == *'"hardware": {'* && $output != *"$uuid"* && $output != *"$pci"* ]]
	echo "$output" >>report.jsonl
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/report.schema.json" report.jsonl
}

@test "hardware: planted ECC errors, NVLink errors and Xid 79 are reported, with advice" {
	fails uncorrected=3
	says "  hardware        points to the hardware: 3 uncorrected ECC errors on GPU 0 ($pci) during the run"
	says " * operators: drain the GPU and reset it*"
	fails recovery=2,crc=5
	says "  hardware        points to the hardware: 2 NVLink recovery errors on GPU 0 ($pci) during the run"
	says " * otherwise *, 5 NVLink flow-control CRC errors on GPU 0 ($pci) during the run"
	fails xid=79,xid=45,lost,deaf
	says "  hardware        points to the hardware: Xid 79 on GPU 0 ($pci): the GPU has fallen off the bus; the driver has lost GPU 0 ($pci)"
	says " * operators: drain the node and reboot it*; culprit explain 'xid 79'"
	unset CULPRIT_REPORT
	culprit report
	[[ $output == *"  hardware "*"Xid 79"*"operators: drain the node and reboot it"* ]]
	[[ $stderr != *"no ECC errors"* && $stderr != *"no Xid"* ]]
	culprit explain 'xid 79'
	[[ $status -eq 0 && $output == "Xid 79: hardware"* ]]
}

@test "hardware: GPU operational events, on drivers that have them" {
	fails operational=2/23,operational=9/1,xid=31
	says "  hardware        points to the hardware: an operational event about damaged memory (GPU-SIMULATED-16 0x17) on GPU 0 ($pci)"
	says " * otherwise *, no Xid except 31 on GPU 0"
	grep -q '"module": "GPU-SIMULATED-16"' culprit-*/hardware.json
	fails operational=2/23,xid=48
	says "  hardware        points to the hardware: Xid 48 on GPU 0 *"
	[[ $stderr != *operational* ]]
}

@test "hardware: nothing is claimed that NVML did not answer" {
	fails_alone unsupported
	[[ $stderr != *"  hardware "* ]]
	fails_alone forbidden
	says "  hardware        no ECC errors, no remapped rows, no NVLink errors; not known: whether there were other Xids"
	fails stuck,xid=31
	says "  hardware        Xid 31 on GPU 0; not known: ECC errors, NVLink errors, whether there were other Xids"
	# The helper is killed before the program starts.
	SIMNVML_READY=$PWD/ready with_nvml culprit run -- sh -c 'read -r line <ready
		for child in $(cat /proc/$PPID/task/$PPID/children); do
			[ "$(cat /proc/$child/comm)" != culprit-nvml ] || kill -9 $child
		done
		exec "$0" "$@"' ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr == *"exact: launch #12, stray_store"* && $stderr != *"  hardware "* ]]
}

@test "hardware: without NVML, or with one that hangs, the run is as always and has no line" {
	for words in refused hang late=60000; do
		fails_alone "$words"
		[[ $stderr != *"  hardware "* && -z $(compgen -G 'culprit-*/hardware.json') ]]
	done
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run -v -- ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr != *"  hardware "* && $stderr != *"run: hardware"* ]]
	SIMNVML=pending with_nvml culprit run --hardware off -- ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr != *"  hardware "* ]]
	# A helper that hangs holds nothing that somebody waits for.
	SIMNVML=hang with_nvml culprit run -- sh -c 'echo out; exit 3'
	[[ $status -eq 3 && $output == out && -z $stderr ]]
	# The run reaps it: its parent may not. Only a busy machine delays its end.
	python3 -S - "$build/lib/simnvml" "$culprit" <<-'PY'
		import ctypes, os, subprocess, sys
		ctypes.CDLL(None).prctl(36, 1) # PR_SET_CHILD_SUBREAPER
		def leaves_child(words):
		    subprocess.run([sys.argv[2], "run", "--", "true"],
		                   env=dict(os.environ, SIMNVML=words, LD_LIBRARY_PATH=sys.argv[1]))
		    try:
		        os.waitpid(-1, 0)
		    except ChildProcessError:
		        return False
		    return True
		for words in "hang", "gpus=1":
		    assert not all(leaves_child(words) for _ in range(20)), words
	PY
}

@test "hardware: it is about the GPUs that the command used, by UUID, also of MIG devices" {
	fails gpus=3,reversed,xid=31/2,xid=48/0,xid=95/1
	says "  hardware        no ECC errors, no remapped rows, no NVLink errors, no Xid except 31 on GPU 2"
	fails mig,xid=43/0/2,xid=94/0/1
	says "  hardware        *, Xid 43 on GPU 0; not known: whether there were other Xids"
	grep -q '"instance": 2' culprit-*/hardware.json
	sed -i 's/"device_uuids": \["[^"]*"\]/"device_uuids": ["0"]/' culprit-*/meta.json
	fails mig,xid=95/0
	says "  hardware        points to the hardware: Xid 95 on GPU 0 *"
}

@test "hardware: a healthy run says nothing, or one line with -v" {
	with_nvml culprit run -- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" ok
	[[ -z $stderr ]]
	mkfifo ready
	SIMNVML_READY=$PWD/ready with_nvml culprit run -v -- sh -c 'read -r line <ready; :'
	[[ $status -eq 0 ]]
	# How early the Xids are watched depends on the machine's load.
	says "culprit run: hardware: no ECC errors, no remapped rows, no NVLink errors, no Xid on GPU 0*"
	SIMNVML=pending SIMNVML_READY=$PWD/ready with_nvml culprit run -v -- sh -c 'read -r line <ready; :'
	says "culprit run: hardware: points to the hardware: a row remapping is pending on GPU 0 ($pci)"
}

@test "hardware: triage shows the line of the run that it shows" {
	cp --remove-destination "$build/bin/corpus" program
	SIMNVML=pending with_nvml culprit triage --runs 1 -- ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $output == *"  hardware        points to the hardware: a row remapping is pending"* ]]
	[[ $output == *$'\n'"  run 1 points to the hardware: a row remapping is pending on GPU 0"* ]]
}

@test "hardware: doctor says what NVML answers, or why it does not" {
	doctor() {
		SIMNVML=$1 with_nvml culprit doctor --dir . --python /bin/false
		grep -A1 '^  [a-z]* *hardware ' <<<"$output"
	}
	[[ $(doctor gpus=2) == "  ok    hardware    driver 999.7, 2 GPUs: no ECC errors, no remapped rows, no NVLink errors; Xids are watched"* ]]
	[[ $(doctor failed,forbidden) == "  warn  hardware    driver 999.7, 1 GPU: points to the hardware: "*" (no permission)"*"-> operators: take the GPU out of service"* ]]
	[[ $(doctor refused) == "  warn  hardware    NVML finds no driver or no GPU: reports will not say whether the hardware failed"* ]]
	[[ $(doctor hang) == "  warn  hardware    NVML does not answer"* ]]
	LD_LIBRARY_PATH=$build/lib/simcuda culprit doctor --dir . --python /bin/false
	[[ $output == *"hardware    libnvidia-ml.so.1 is not installed: "*"-> in a container, set NVIDIA_DRIVER_CAPABILITIES"* ]]
}

@test "hardware: a hang's report has the line, and the bundle keeps it" {
	mkfifo ready
	SIMNVML=xid=109 SIMNVML_READY=$PWD/ready ROBUST_HANG=kernel with_nvml culprit run --hang 1 --on-hang abort -- \
		sh -c 'read -r line <ready; exec "$0" hangs' "$build/bin/tests/robust"
	[[ $status -eq 124 ]]
	says "  hardware: points to the driver or the hardware: Xid 109 on GPU 0 ($pci): *"
	culprit report
	[[ $output == *"  hardware        points to the driver or the hardware: Xid 109"* ]]
}

@test "hardware: a hostile hardware.json changes nothing but its line" {
	"$make_bundle" failed failed
	culprit report failed
	without=$output
	for text in '{' '[]' '{"format": 1, "gpus": [{"index": 0, "name": "\u001b[31m", "pci": "$(id)"}], "events": [{"kind": "xid", "gpu": 7}]}'; do
		echo "$text" >failed/hardware.json
		culprit report failed
		[[ $status -eq 0 && $output == "$without" ]]
	done
	ln -sf /etc/passwd failed/hardware.json
	culprit report failed
	[[ $output == "$without" ]]
	rm failed/hardware.json
	mkfifo failed/hardware.json
	culprit report failed
	[[ $output == "$without" ]]
}
