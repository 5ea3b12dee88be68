#!/usr/bin/env bats
# Calls that go to the driver without culprit: no verdict may name an innocent launch for them.

load robust

# The verdict is narrowed, and says why. Other evidence depends on the moment.
narrowed_by_bypass() {
	verdict 'narrowed: launch #32, spin, or work that culprit did not see'
	"$culprit" report --format json bundles/* >report.json
	grep -q '"kind": *"bypassed"' report.json
}

@test "a launch by a plug-in opened with RTLD_DEEPBIND blames no launch, and the plug-in is named" {
	for same in '' 1; do
		rm -rf bundles/*
		ROBUST_DOOR=deepbind ROBUST_SAME_STREAM=$same unharmed bypass
		narrowed_by_bypass
		grep -q 'robust_plugin.so calls the driver directly' under.err
	done
}

@test "the slots of the plug-in suffice, without the driver's words and without markers" {
	for scheme in markers off; do
		rm -rf bundles/*
		CULPRIT_PROGRESS=$scheme ROBUST_DOOR=deepbind unharmed bypass
		narrowed_by_bypass
	done
	rm -rf bundles/*
	SIMCUDA_PROGRESS=none ROBUST_DOOR=deepbind unharmed bypass
	narrowed_by_bypass
}

@test "in a sandbox that refuses to copy memory, the plug-in is named all the same" {
	local preload="$build/lib/libfailing_calls.so $shim"
	FAIL_MET=$PWD/met FAIL_CALL=process_vm_readv:1-9999:1 ROBUST_DOOR=deepbind shim=$preload under bypass
	[[ $status -eq 1 && -e met ]]
	narrowed_by_bypass
	grep -q 'robust_plugin.so calls the driver directly' under.err
}

@test "an address from the driver's symbol table is found where it is kept" {
	CULPRIT_PROGRESS=off ROBUST_DOOR=table unharmed bypass
	narrowed_by_bypass
	grep -q ' robust calls the driver directly' under.err
}

@test "an address that is kept on the heap alone is found there" {
	CULPRIT_PROGRESS=off ROBUST_DOOR=heap unharmed bypass
	narrowed_by_bypass
	grep -q 'the heap has addresses of driver functions' under.err
}

@test "the same plug-in, opened without RTLD_DEEPBIND, is seen, and raises no doubt" {
	ROBUST_DOOR=linked unharmed bypass
	verdict 'exact: launch #32, stray_store'
	lacks 'calls the driver directly|did not see' under.err
}

@test "a failure that only calls past culprit meet is asked for at the end" {
	ROBUST_DOOR=deepbind unharmed bypass_alone
	verdict 'unknown: no unfinished work was seen that can raise it'
	grep -q 'robust_plugin.so calls the driver directly' under.err
	status=0
	ROBUST_DOOR=deepbind "$culprit" run --fail-code 77 "$robust" bypass_alone >under.out 2>under.err || status=$?
	((status == 77))
}
