#!/usr/bin/env bats
# The secrets that `report --redact` and `pack` leave out, and how malicious packs are handled.

load cli

secrets="hush-argument hush-folder hush_host hushuser hush-range hush-domain hush-setting deadbeefcafe 244837814094590 123456789abcdef0"

# Make a bundle with a secret planted in each place that can hold one.
plant() {
	mkdir -p "home/hushuser/hush-folder"
	"$make_bundle" failed planted
	python3 -S - "$PWD" <<-'PY'
		import glob, json, struct, sys
		meta = json.load(open("planted/meta.json"))
		meta["command"] = ["/home/hushuser/bin/train", "--token=hush-argument", "hush-argument"]
		meta["directory"] = "/srv/hush-folder"
		meta["hostname"] = "hush_host"
		meta["bundle"] = "/home/hushuser/planted"
		meta["settings"] = {"CULPRIT_DIR": "/srv/hush-setting", "CULPRIT_MARKERS": "auto"}
		meta["of_a_later_version"] = {"deep": "hush-argument"}
		json.dump(meta, open("planted/meta.json", "w"))
		# Replace the program's path by one of the same length, and names of a file and a device.
		strings = open("planted/strings", "rb").read()
		strings = strings.replace(b"/home/user/train", b"/home/hushuser/t")
		strings = strings.replace(b"Test GPU", b"hushuser")
		open("planted/strings", "wb").write(strings)
		# Arguments that are not pointers, and an open range.
		for name in glob.glob("planted/ring-*"):
		    ring = bytearray(open(name, "rb").read())
		    for at in range(64, len(ring) - 127, 128):
		        if ring[at + 52] == 2:  # RECORD_ARGUMENTS
		            for place in range(at + 56, at + 128 - 7, 8):
		                value, = struct.unpack_from("<Q", ring, place)
		                if value >> 40 != 0x70:
		                    struct.pack_into("<Q", ring, place, 0xdeadbeefcafe)
		    open(name, "wb").write(ring)
	PY
}

# finds_none FILE: the file contains no planted secret, neither as text nor as argument bytes.
finds_none() {
	local secret
	for secret in $secrets; do
		! grep -aqF "$secret" "$1" || { echo "$1 has $secret" && grep -aoE ".{40}$secret" "$1" && return 1; }
	done
	! grep -aqi "fecaefbeadde" "$1" || { echo "$1 has the bytes of an argument" && return 1; }
}

@test "report --redact: no planted secret is left in the text or the JSON" {
	plant
	culprit report planted
	[[ $status -eq 0 ]]
	[[ $output == *hush-argument* && $output == *hush_host* && $output == *hushuser* ]]
	[[ $output == *0xdeadbeefcafe* || $output == *"fe ca ef be ad de"* ]]
	for format in text json; do
		culprit report --redact --format "$format" planted
		[[ $status -eq 0 ]]
		echo "$output$stderr" >"redacted.$format"
		finds_none "redacted.$format"
	done
	cat redacted.text
	# The diagnosis is still complete.
	grep -q '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter<float>' redacted.text
	grep -qF '0: 0x700000000040 = allocation #1 + 64' redacted.text
	grep -qF '5: 8 bytes, not kept' redacted.text
	grep -qF '"train <argument 1> <argument 2>"' redacted.text
	python3 -S - <<-'PY'
		import json
		report = json.load(open("redacted.json"))
		assert report["meta"]["redacted"] is True
		assert report["meta"]["of_a_later_version"] == "<left out>"
		assert report["meta"]["settings"] == {"CULPRIT_DIR": "<left out>", "CULPRIT_MARKERS": "auto"}
		assert report["suspects"][0]["arguments"][5]["hex"] == ""
		assert report["suspects"][0]["stack"][1]["module"] == "/home/xxxxxxxx/t"
	PY
	# The bundle itself is unchanged.
	grep -q hush-argument planted/meta.json
}

# Launch with open NVTX ranges, from a directory and a home with names. The bundle is in work/.
fail_in_ranges() {
	[[ -x $build/bin/tests/nvtx_ranges && -e $build/lib/simcuda/libcuda.so.1 ]] || skip "no NVTX host here"
	mkdir -p home/hushuser/hush-folder
	HOME=$PWD/home/hushuser
	export HOME
	cd home/hushuser/hush-folder
	mkdir -p bin/tests
	cp "$build/bin/tests/nvtx_ranges" bin/tests/hosted
	ln -s "$build/lib" lib # of the kernels, which it looks for from its own place
	LD_LIBRARY_PATH=$build/lib/simcuda:$build/lib/nvtx HUSH=hush-setting "$culprit" run --quiet -- \
		./bin/tests/hosted "$@" || true
	[[ -d $(echo culprit-hosted-*) ]]
}

@test "report --redact: NVTX texts become numbers, and source lines of the program stay" {
	fail_in_ranges open push:hush-range push@hush-domain:hush-range-2 launch:3 fail
	culprit report culprit-hosted-*
	echo "$output"
	[[ $output == *"hush-range > [hush-domain] hush-range-2"* ]]
	culprit report --format json culprit-hosted-*
	[[ $output == *hush-folder* && $output == *hushuser* ]]
	for format in json text; do
		culprit report --redact --format "$format" culprit-hosted-*
		echo "$output$stderr" >redacted
		finds_none redacted
	done
	grep -qE '^  nvtx +text [0-9]+ > \[x+\] text [0-9]+$' redacted
	grep -qE 'launched from +[a-z_]+\.c:[0-9]+ ' redacted
	# Without the program, the report that the run stored is not shown instead.
	rm bin/tests/hosted
	for format in json text; do
		culprit report --redact --format "$format" culprit-hosted-*
		echo "$output$stderr" >redacted
		finds_none redacted
	done
}

@test "pack: it contains no planted secret, and lists its members" {
	plant
	echo hush-argument | tee planted/verdict.txt planted/report.txt >planted/report.json
	cp "$build/tests/fixtures/coredumps/load.cudacore" planted/core.nvcudmp
	culprit pack planted
	echo "$output$stderr"
	[[ $status -le 4 && $output == "planted.tar.gz:"* && $output == *"left out: "* ]]
	[[ $(stat -c %a planted.tar.gz) == 600 ]]
	mkdir out
	tar -xzf planted.tar.gz -C out
	[[ $(cd out && echo *) == "pack.json records.txt report.json report.txt" ]]
	for member in out/*; do
		[[ $output == *"  ${member#out/} "* ]]
		finds_none "$member"
	done
	finds_none <(printf '%s' "$output")
	grep -q '^ring-0 ' out/records.txt
	culprit report planted.tar.gz
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — "* ]]
	diff <(echo "$output") out/report.txt
	culprit report --format json planted.tar.gz
	python3 -S -c 'import json, sys; assert json.load(sys.stdin)["meta"]["redacted"] is True' <<<"$output"
	# With --keep-secrets everything is included.
	culprit pack --keep-secrets -o all.tar.gz planted
	[[ $output == *"bundle/meta.json"* && $output != *"left out"* ]]
	mkdir all
	tar -xzf all.tar.gz -C all
	cmp all/bundle/core.nvcudmp planted/core.nvcudmp
	cmp all/bundle/strings planted/strings
	grep -q hush-argument all/report.txt
}

@test "pack: the bundle's files are in the order of their names, on each file system" {
	"$make_bundle" failed "$BATS_TEST_TMPDIR/bundle"
	touch "$BATS_TEST_TMPDIR"/bundle/{zz,1,Ab,aB,m}{9..1}
	culprit pack --keep-secrets -o kept.tar.gz "$BATS_TEST_TMPDIR/bundle"
	members=$(tar -tzf kept.tar.gz | grep ^bundle/)
	(($(grep -c . <<<"$members") > 50))
	LC_ALL=C sort -c <<<"$members"
}

@test "pack: the pack of a real failure is readable without the program and the bundle" {
	fail_in_ranges open push:hush-range push@hush-domain:hush-range-2 launch:3 fail
	culprit report --redact culprit-hosted-*
	echo "$output" >here
	culprit pack -o "$BATS_TEST_TMPDIR/a.tar.gz" culprit-hosted-*
	[[ $status -eq 0 ]]
	cd "$BATS_TEST_TMPDIR"
	rm -r home
	mkdir out
	tar -xzf a.tar.gz -C out
	for member in out/*; do
		finds_none "$member"
	done
	culprit report a.tar.gz
	[[ $status -eq 0 && -z $stderr && $output == *"launched from   host.c:"* ]]
}

@test "pack: it contains unchanged source lines of the user's files, and only for own bundles" {
	printf 'import torch\n\n\ndef forward(x):\n    return x\n\n\nresult = forward(1)\n' >net.py
	touch -d 2000-01-01 net.py
	"$make_bundle" python python "$PWD/net.py"
	culprit report python
	place=$(grep -o 'net\.py:[0-9]*' <<<"$output" | head -1)
	[[ -n $place ]] || skip "the sample has no such frame"
	yes 'pass  # a line' | head -200 >net.py
	touch -d 2000-01-01 net.py
	culprit pack -o a.tar.gz python
	echo "$output"
	[[ $output == *source.txt* ]]
	culprit report a.tar.gz
	[[ $output == *$'\n>'*"pass  # a line"* ]]
	culprit pack --no-source -o b.tar.gz python
	[[ $output != *source.txt* ]]
	touch net.py # another one now
	culprit pack -o c.tar.gz python
	[[ $output == *source.txt* ]]
	culprit report c.tar.gz
	[[ $output == *"net.py:"*": the file has changed since the process first used the GPU"* ]]
	[[ $output != *"pass  # a line"* ]]
	if ((EUID == 0)); then
		touch -d 2000-01-01 net.py
		chown 12345 python
		culprit pack -o d.tar.gz python
		[[ $output != *source.txt* ]]
	fi
}

@test "pack: it does not overwrite files unasked, and reports what cannot be packed" {
	"$make_bundle" failed failed
	touch failed.tar.gz
	culprit pack failed
	complains 6 "culprit pack: failed.tar.gz: File exists"
	[[ ! -s failed.tar.gz ]]
	culprit pack -o failed.tar.gz failed
	((status == 0))
	culprit pack missing
	complains 3 "culprit pack: missing: No such file or directory"
	culprit pack -o /nonexistent/a failed
	complains 6 "culprit pack: /nonexistent/a: No such file or directory"
	culprit pack a b
	complains 2 "culprit pack: more than one bundle given; see culprit help pack"
	if mknod full c 1 7 2>/dev/null && ! { : >full; } 2>&1 | grep -q .; then
		culprit pack -o full failed
		complains 6 "culprit pack: full: No space left on device"
		[[ -c full ]]
	fi
	culprit report --redact failed.tar.gz
	complains 2 "culprit report: failed.tar.gz: is a file; --coredump and --redact are for bundles"
	culprit report --format junit failed.tar.gz
	[[ $status -eq 2 ]] && says "culprit report: failed.tar.gz: is a file; of packs there is text and JSON"
	# Reports of a bundle without a failure, and of a damaged one, keep their status.
	"$make_bundle" clean clean
	culprit pack clean
	culprit report clean.tar.gz
	((status == 1))
	rm failed/strings
	culprit pack -o parts.tar.gz failed
	((status == 4))
	culprit report parts.tar.gz
	((status == 4))
}

@test "malicious packs are refused with one line" {
	python3 -S - <<-'PY'
		import gzip, io, json, tarfile
		meta = json.dumps({"culprit": "0.1.0", "pack": 1, "redacted": True, "failure": True,
		                   "damaged": False})
		good = {"pack.json": meta, "report.txt": "culprit: fine\n", "report.json": "{}"}
		def make(path, members=good, extra=(), format=tarfile.USTAR_FORMAT):
		    with tarfile.open(path, "w:gz", format=format) as tar:
		        for name, text in members.items():
		            info = tarfile.TarInfo(name)
		            info.size = len(text)
		            tar.addfile(info, io.BytesIO(text.encode()))
		        for info, text in extra:
		            info.size = len(text)
		            tar.addfile(info, io.BytesIO(text.encode()))
		def member(name, kind=tarfile.REGTYPE, link=""):
		    info = tarfile.TarInfo(name)
		    info.type = kind
		    info.linkname = link
		    return info
		make("good")
		for number, name in enumerate(["../evil", "/etc/evil", "bundle/../../evil", ".evil", "a/b/c",
		                               "bundle/", "a\x1b[31m", "..", "bundle/.x"]):
		    make(f"out-{number}", extra=[(member(name), "x")])
		for number, kind in enumerate([tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE,
		                               tarfile.FIFOTYPE, tarfile.DIRTYPE]):
		    make(f"kind-{number}", extra=[(member("a", kind, "/etc/passwd"), "")])
		make("twice", extra=[(member("report.txt"), "other")])
		make("lacking", {"pack.json": meta})
		make("newer", {**good, "pack.json": '{"pack": 2}'})
		make("no-object", {**good, "report.json": "[1"})
		make("odd", {**good, "report.txt": "culprit: \x1b[31mred\x9b \u202e\x00 end\n"})
		whole = open("good", "rb").read()
		open("cut", "wb").write(whole[:len(whole) // 2])
		open("swapped", "wb").write(whole[:40] + bytes([whole[40] ^ 0xff]) + whole[41:])
		open("text", "w").write("no pack\n")
		open("empty", "w")
		# A member that claims two gigabytes, and two members that really are too large.
		info = member("big")
		info.size = 2 << 30
		open("claims", "wb").write(gzip.compress(info.tobuf(tarfile.USTAR_FORMAT)))
		with gzip.open("bomb", "wb", compresslevel=1) as bomb:
		    for name in "ab":
		        info = member(name)
		        info.size = 600 << 20
		        bomb.write(info.tobuf(tarfile.USTAR_FORMAT))
		        for _ in range(600):
		            bomb.write(bytes(1 << 20))
	PY
	culprit report good
	[[ $status -eq 0 && $output == "culprit: fine" && -z $stderr ]]
	for pack in out-* kind-* twice lacking cut swapped text empty claims bomb; do
		run --separate-stderr timeout 60 "$culprit" report "$pack"
		echo "$pack: $status $stderr"
		[[ $status -eq 3 && -z $output && ${#stderr_lines[@]} -eq 1 && $stderr != *$'\e'* ]]
		case $pack in
		out-*) [[ $stderr == "culprit report: $pack: is refused: it has a member whose path leads out of the pack" ]] ;;
		kind-*) [[ $stderr == "culprit report: $pack: is refused: it has a member that is not a regular file" ]] ;;
		claims | bomb) [[ $stderr == "culprit report: $pack: is refused: it unpacks to more than the size limit" ]] ;;
		*) [[ $stderr == "culprit report: $pack: is neither a bundle nor a complete pack" ]] ;;
		esac
	done
	[[ ! -e evil && ! -e ../evil && ! -e /etc/evil ]]
	culprit report newer
	complains 3 "culprit report: newer: a pack of format 2; culprit $("$culprit" --version | cut -d' ' -f2) reads format 1"
	culprit report --format json no-object
	complains 3 "culprit report: no-object: report.json is not valid JSON"
	culprit report odd
	[[ $status -eq 0 && $output != *$'\e'* && $output == "culprit: ?[31mred"* ]]
}

@test "randomly damaged packs neither crash nor hang the report" {
	"$make_bundle" failed failed
	culprit pack failed
	python3 -S - "$culprit" <<-'PY'
		import gzip, random, subprocess, sys
		whole = gzip.decompress(open("failed.tar.gz", "rb").read())
		for seed in range(80):
		    random.seed(seed)
		    tar = bytearray(whole)
		    for _ in range(random.choice([1, 4, 64])):
		        # Change a byte in a header, and one anywhere.
		        at = random.choice([random.randrange(512), random.randrange(len(tar))])
		        tar[at] = random.choice([0, 1, 0x2f, 0x7f, 0xff, random.randrange(256)])
		    if seed % 3 == 0:
		        sums = bytearray(tar[:512])
		        sums[148:156] = b" " * 8
		        tar[148:156] = b"%06o\0 " % sum(sums)
		    packed = bytearray(gzip.compress(bytes(tar), 1))
		    if seed % 5 == 0:
		        packed[random.randrange(10, len(packed))] ^= 1 << random.randrange(8)
		    open("hostile", "wb").write(packed)
		    for command in (["report"], ["report", "--format", "json"]):
		        done = subprocess.run([sys.argv[1], *command, "hostile"], timeout=300,
		                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        assert done.returncode in (0, 1, 3, 4), (seed, command, done)
		        assert b"\x1b" not in done.stdout + done.stderr, (seed, command)
	PY
}
