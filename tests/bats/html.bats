#!/usr/bin/env bats
# `culprit report --format html`: what the page must be, held by tests/html/check_page.py, and in a
# browser where there is one.

load cli

check=$root/tests/html/check_page.py
browse=$root/tests/html/browse

# page BUNDLE...: page.html of these, and text.txt with the text report; they must agree.
page() {
	culprit report --format html --output page.html "$@"
	[[ $status -le 1 && -z $output && -z $stderr ]]
	culprit report --output text.txt "$@"
	"$check" page.html text.txt
}

# elements FILE: the page's elements, and the names of their attributes, in their order.
elements() {
	python3 -S -c '
import sys, xml.etree.ElementTree as tree
page = open(sys.argv[1], encoding="utf-8").read().removeprefix("<!DOCTYPE html>")
for element in tree.fromstring(page).iter():
    print(element.tag, *element.attrib)' "$1"
}

@test "html: the page says what the text says, for bundles of all kinds" {
	for kind in failed clean mixed coredump; do
		"$make_bundle" "$kind" "$kind"
		page "$kind"
	done
	printf '# nothing\n' >generated.py
	"$make_bundle" python python "$PWD/generated.py"
	page python
	grep -q 'class="headline exact"' page.html
	grep -q 'class="m-freed"' page.html
}

@test "html: failures on the simulated driver: eight streams, a graph, an assertion, an open end" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	local scenario
	for scenario in one_of_eight_threads graph_child device_assert; do
		# There because compilers may tell files from where they were started.
		cd "$build"
		LD_LIBRARY_PATH=$simcuda culprit run --quiet --markers inline \
			--dir "$BATS_TEST_TMPDIR/$scenario.d" \
			-- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" "$scenario"
		cd "$BATS_TEST_TMPDIR"
		page "$scenario.d"
		mv page.html "$scenario.html"
		mv text.txt "$scenario.txt"
	done
	[[ $(grep -c 'class="lane"' one_of_eight_threads.html) -ge 16 ]]
	# The culprit's number, the first in the headline, is above its box in both pictures.
	grep -oE '#[0-9]+' one_of_eight_threads.txt | head -n 1 >culprit
	grep -oE '<text class="mark" .*▼ #[0-9]+</text>' one_of_eight_threads.html | grep -oE '#[0-9]+' | sort -u | diff culprit -
	grep -q 'id="r1-graph"' graph_child.html
	grep -q '<mark>        LAUNCH_BAD(corpus, &amp;bad);</mark>' device_assert.html
	# The second run of the same is another report of the same page.
	culprit report --format html graph_child.d device_assert.d
	[[ $(grep -c '<article ' <<<"$output") -eq 2 && $(grep -c '<nav ' <<<"$output") -eq 1 ]]
}

@test "html: the source is directly below the headline, and what is not in the short report is folded" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	cd "$build" # compilers may tell files from where they were started
	LD_LIBRARY_PATH=$simcuda culprit run --quiet --dir "$BATS_TEST_TMPDIR/bundles" \
		-- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" use_after_free
	cd "$BATS_TEST_TMPDIR"
	page bundles
	python3 - <<-'PY'
		import xml.etree.ElementTree as tree
		page = tree.fromstring(open("page.html", encoding="utf-8").read().removeprefix("<!DOCTYPE html>"))
		article = next(page.iter("article"))
		assert [child.tag for child in article] == ["h1", "section", "details"], list(article)
		rows = list(article[1])
		assert [rows[0].get("data-brief"), rows[1].get("class"), rows[2].get("data-brief")] == [
		    "at", "source", "submitted"], rows
		marked = "".join(next(rows[1].iter("mark")).itertext())
		assert "LAUNCH" in marked, marked
		assert article[2].get("open") is None and article[2].find(".//*[@data-id='arguments']") is not None
	PY
}

@test "html: a cut bundle has a page too, and 65,536 launches stay below 2 MiB" {
	"$make_bundle" failed failed
	truncate -s 700 failed/ring-0
	culprit report --format html failed
	[[ $status -eq 4 ]]
	"$check" <(printf '%s\n' "$output")
	rm failed/ring-0
	culprit report --format html failed
	[[ $output == *'<article '* && $output != *'class="timeline"'* ]]
	"$check" <(printf '%s\n' "$output")
	"$make_bundle" large large
	page large
	[[ $(tr -dc ',\n' <page.html | grep -c '^,,,,,,$') -ge 65536 ]]
}

@test "html: equal reports are one article, that of the first failure, and a line for each other one" {
	mkdir bundles
	for i in 1 2 3; do
		"$make_bundle" failed "bundles/culprit-<b>-$i"
		sed -i "s/1234/100$i/; s/\"realtime_ns\": 1/\"realtime_ns\": $((i == 2 ? 1 : i + 1))/" bundles/*"-$i/meta.json"
	done
	"$make_bundle" mixed bundles/culprit-other-1
	culprit report --format html --output page.html bundles/*
	[[ $status -eq 0 ]]
	"$check" page.html
	[[ $(grep -c '<article ' page.html) -eq 2 && $(grep -c '<li><a href="#r' page.html) -eq 2 ]]
	grep -A 3 '<summary>The same in 2 more processes</summary>' page.html >same
	grep -q '^<li>pid 1001: bundles/culprit-&lt;b&gt;-1</li>$' same
	grep -q '^<li>pid 1003: bundles/culprit-&lt;b&gt;-3</li>$' same
	grep -q ', pid 1002</span></h1>' page.html
	! grep -q '\[pid 100[13]\]</span></h1>' page.html
}

@test "html: no name becomes markup" {
	"$make_bundle" failed failed
	page failed
	elements page.html >plain
	python3 -S - <<-'PY'
		names = {
		    b"_ZN4math7scatterIfEEvPT_S2_": b"<script>alert(1)</script>\"'",
		    b"/home/user/train": b"<img src=x on=\">",
		    b"Test GPU": b"]]>&lt;b",
		    b"cuCtxSynchronize": b"--><svg onload=x",
		}
		strings = open("failed/strings", "rb").read()
		for old, new in names.items():
		    assert len(old) == len(new) and old in strings, old
		    strings = strings.replace(old, new)
		open("failed/strings", "wb").write(strings)
		meta = open("failed/meta.json").read()
		hostile = "</title><script>alert(2)</script>\\\" onload=\\\"alert(3)\\\""
		open("failed/meta.json", "w").write(meta.replace('"train"', f'"{hostile}"'))
	PY
	page failed
	elements page.html | diff plain -
	grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' page.html
	grep -q 'onload=&quot;alert(3)' page.html
	[[ $(grep -c '<script>' page.html) -eq 1 ]]
}

@test "html: what --redact leaves out is in no part of the page" {
	"$make_bundle" failed failed
	culprit report --format html --redact failed
	[[ $status -eq 0 && $output != */home/user* && $output == *'<article '* ]]
	culprit pack failed
	culprit report --format html failed.tar.gz
	complains 2 "culprit report: failed.tar.gz: is a file; of packs there is text and JSON"
}

@test "html: a browser draws it without a word on its console or a request" {
	[[ $("$browse" --find) ]] || skip "no Chromium here"
	"$make_bundle" failed failed
	page failed
	"$browse" --exercise page.html
	run "$root/scripts/pictures" pictures page.html
	[[ $status -eq 0 && -s pictures/page.png && -s pictures/page-dark.png ]]
	run "$root/scripts/pictures"
	[[ $status -eq 2 && $output == 'usage: pictures '* ]]
}
