#!/usr/bin/env bats
# Many machines: counts for Prometheus, and the units and manifests of examples/.

load cli

@test "list --format prometheus: bundles that are alike, the newest time, and what the GPUs point to" {
	mkdir all empty
	for name in a b c; do
		"$make_bundle" failed "all/culprit-$name"
	done
	sed -i 's/"realtime_ns": 1/"realtime_ns": 2/' all/culprit-b/meta.json
	cp "$root/tests/fixtures/hardware.json" all/culprit-c
	mkdir all/culprit-broken
	culprit list --format prometheus all empty
	[[ $status -eq 3 && $stderr == *"culprit-broken: not a bundle"* ]]
	[[ $output =~ culprit_bundles(\{program=\"train\",error=\"700\",verdict=\"exact\",fingerprint=\"[0-9a-f]{16}\",points_to=\"\"\})" 2"$'\n' ]]
	[[ $output == *"culprit_newest_failure_timestamp_seconds${BASH_REMATCH[1]} 2"[0-9]* ]]
	[[ $output == *',points_to="hardware"} 1'* && $output == *$'\nculprit_unreadable_bundles 1\n'* ]]
	# Each line is a comment or a sample.
	! grep -vE '^(# (HELP|TYPE) |[a-z_]+(\{([a-z_]+="([^"\\]|\\.)*",?)+\})? [0-9]+$)' <<<"$output"
}

@test "list --format prometheus: labels are escaped; an empty folder has no bundles" {
	"$make_bundle" failed culprit-odd
	sed -i 's/"program": "train"/"program": "a\\"b\\\\c\\n"/' culprit-odd/meta.json
	culprit list --format prometheus .
	[[ $status -eq 0 && $output == *'program="a\"b\\c?"'* ]]
	mkdir empty
	for folder in empty "$PWD/empty"; do
		CULPRIT_DIR=$folder culprit list --format prometheus
		[[ $status -eq 0 && -z $stderr && $output != *"culprit_bundles{"* && $output == *"culprit_unreadable_bundles 0"* ]]
	done
	culprit list --format prometheus nowhere
	[[ $status -eq 3 ]]
	culprit list empty
	[[ $status -eq 3 ]]
}

@test "examples: the systemd units are valid, and their commands work" {
	cp "$root"/examples/systemd/* .
	sed -i "s#/usr/bin/culprit-watch-bundles#$root/scripts/triage/culprit-watch-bundles#; s#/usr/bin/culprit #$culprit #" ./*.service
	if command -v systemd-analyze; then
		run -0 systemd-analyze verify ./culprit-watch@root.service ./culprit-clean@root.service \
			./culprit-clean@root.timer ./culprit-metrics.service ./culprit-metrics.timer
		[[ -z $output ]]
	fi
	mkdir -p state/culprit-metrics bundles/alice bundles/bob
	"$make_bundle" failed bundles/alice/culprit-train-1
	command=$(sed -n "s/^ExecStart=//p" culprit-metrics.service)
	command=${command//%S/$PWD/state}
	eval "${command//\/var\/lib\/culprit\//$PWD/bundles/}"
	grep -q '^culprit_bundles{program="train"' state/culprit-metrics/culprit.prom
	[[ ! -e state/culprit-metrics/culprit.new ]]
	touch -d 2001-01-01 bundles/alice/culprit-train-1
	command=$(sed -n "s/^ExecStart=//p" culprit-clean@.service)
	eval "${command//\/var\/lib\/culprit\/%i/$PWD/bundles/alice}"
	[[ -z $(ls bundles/alice) ]]
}

@test "examples: the Kubernetes manifests follow the published schema" {
	command -v kubernetes-validate >/dev/null || skip "no kubernetes-validate (PyPI)"
	kubernetes-validate -k 1.29 --strict "$root"/examples/kubernetes/*.yaml
}
