#!/usr/bin/env bats
# The wheel in a clean virtual environment: the command runs, and pytest finds the plugin. The wheel
# is $CULPRIT_WHEEL, such as one for release, or is made of the files of this build folder
# (scripts/wheel --native). If it is for another machine, only the tests run that read its files.

bats_require_minimum_version 1.5.0
load cli

is_for_this_machine() {
	[[ $(cat "$BATS_FILE_TMPDIR/wheel") == *"_$(uname -m).whl" ]]
}

install_wheel() {
	echo "$1" >"$BATS_FILE_TMPDIR/wheel"
	python3 -m zipfile -e "$1" "$BATS_FILE_TMPDIR/files"
	is_for_this_machine || return 0
	"$BATS_FILE_TMPDIR/clean/bin/pip" --disable-pip-version-check install -q --no-index "$1"
}

# pip does not remove folders above those that it emptied, such as share/.
list_files() {
	find "$BATS_FILE_TMPDIR/clean" ! -type d | sort
}

setup_file() {
	local status=0
	python3 -m venv "$BATS_FILE_TMPDIR/clean"
	list_files >"$BATS_FILE_TMPDIR/before"
	if [[ ${CULPRIT_WHEEL-} ]]; then
		install_wheel "$CULPRIT_WHEEL"
		return
	fi
	"$BATS_TEST_DIRNAME/../../scripts/wheel" --native >"$BATS_FILE_TMPDIR/log" 2>&1 || status=$?
	if ((status == 77)); then
		tail -n 1 "$BATS_FILE_TMPDIR/log" >"$BATS_FILE_TMPDIR/lacks"
		return
	fi
	cat "$BATS_FILE_TMPDIR/log"
	((status == 0))
	install_wheel "$(tail -n 1 "$BATS_FILE_TMPDIR/log")"
}

setup() {
	[[ ! -e $BATS_FILE_TMPDIR/lacks ]] || skip "$(cat "$BATS_FILE_TMPDIR/lacks")"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS PYTHONPATH
	export CULPRIT_REPORT=full
	unset -f culprit # of cli.bash: here it is the installed one
	package=$(echo "$BATS_FILE_TMPDIR"/clean/lib/python3*/site-packages/culprit_cuda)
	export PATH=$BATS_FILE_TMPDIR/clean/bin:/usr/bin:/bin LD_LIBRARY_PATH=$build/lib/simcuda
}

# A test that runs what pip installed begins with this.
needs_installation() {
	is_for_this_machine || skip "the wheel is for another machine: scripts/clean-root runs it"
}

# Print the files of the wheel that the loader reads.
programs() {
	local file
	for file in "$BATS_FILE_TMPDIR"/files/culprit_cuda/{bin,lib,lib/culprit-demo}/*; do
		[[ -d $file ]] || echo "$file"
	done
}

@test "the first command after the installation shows a verdict" {
	needs_installation
	run --separate-stderr -0 env -i PATH="$PATH" culprit demo
	[[ $output == *"on a simulated driver"* ]]
	[[ $stderr == *"illegal memory access: scatter_add "*" exact"*"demo.c:100 update_rows"* ]]
	run -0 culprit-group-bundles .
	[[ $output == *"scatter_add at demo.c:100"* ]]
	# The wheel may grow by 2 MB for the demonstration.
	(($(du -sb "$package/lib/culprit-demo" | cut -f1) < 2000000))
}

@test "shells find completions, and man its page, below the environment" {
	needs_installation
	share=$BATS_FILE_TMPDIR/clean/share
	for file in bash-completion/completions/culprit fish/vendor_completions.d/culprit.fish \
		zsh/site-functions/_culprit man/man1/culprit.1; do
		[[ -s $share/$file ]]
	done
	for name in "$root"/scripts/triage/*; do
		cmp "$name" "$BATS_FILE_TMPDIR/clean/bin/$(basename "$name")"
	done
}

@test "each library that is inside the files has its licence in the wheel" {
	local -A source=([dw]=elfutils [elf]=elfutils [jansson]=jansson [lz4]=lz4 [zstd]=libzstd [z]=zlib
		[lzma]=xz-utils [bz2]=bzip2)
	licences=$(echo "$BATS_FILE_TMPDIR"/files/culprit_cuda-*.dist-info/licenses/third-party)
	# The list is that of the static build.
	[[ $(sed -n 's/^  foreach(name \(.*\)) #.*/\1/p' "$root/tools/CMakeLists.txt" | tr ' ' '\n' | sort) == \
		"$(printf '%s\n' "${!source[@]}" | sort)" ]]
	linked=$(programs | xargs ldd) || linked=$(programs | xargs readelf -d) # another machine's
	for name in "${!source[@]}"; do
		[[ $linked == *"lib$name.so"* ]] || grep -q '[Cc]opyright' "$licences/${source[$name]}.txt"
	done
	[[ $linked != *libstdc++* && $linked != *libc++* ]]
	compgen -G "$licences/gcc-*.txt" || compgen -G "$licences/libcxx.txt"
	while read -r file; do
		[[ -s $licences/$file ]]
	done < <(sed -nE 's/^  .*: ([^ ]*\.txt).*/\1/p' "$licences/README.txt")
}

# Without one, the file's inode and time are compared. qemu-user reports those of qemu itself for the
# program that it runs, so the report would show no lines.
@test "each file has a build-id, by which a report recognizes it" {
	for file in $(programs); do
		readelf -n "$file" | grep 'Build ID'
	done
}

# symbols FILE...: print name and version of the C library's symbols that the files need or define.
symbols() {
	objdump -T "$@" | sed -nE 's/.*[ (]GLIBC_(2[0-9.]*)\)? +([^ ]+)$/\2 \1/p' | sort -u
}

# A native build binds each symbol to its newest version. It would link with an older library if that
# has the symbol in an older version, or if older headers have a substitute, as for stat().
@test "no file of the wheel needs a newer C library than docs/install.md says" {
	oldest=$(sed -nE 's/.*glibc (2\.[0-9]+) or newer.*/\1/p' "$root/docs/install.md")
	[[ $oldest == 2.* ]]
	grep -q "^glibc=$oldest " "$root/scripts/wheel"
	mapfile -t files < <(programs)
	((${#files[@]} == 5))
	case $(cat "$BATS_FILE_TMPDIR/wheel") in
	*-manylinux_*) : >older ;;
	*) symbols "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libm.so.6)" >older ;;
	esac
	symbols "${files[@]}" | awk -v oldest="${oldest#2.}" '
		{ split($2, version, "."); is_old = version[2] + 0 <= oldest + 0 }
		FILENAME == "older" { if (is_old) has[$1]; next }
		!is_old && !($1 in has) && $1 !~ /^(__isoc23_.*|[fl]?stat(64)?|fstatat(64)?)$/
	' older - >newer
	cat newer
	[[ ! -s newer ]]
}

@test "the installed command names the launch" {
	needs_installation
	run -1 culprit run -- "$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
	[[ $output == *"exact: launch #77, scatter_add"* ]]
	[[ $(grep -c 'cannot be preloaded' <<<"$output") == 0 ]]
	run -0 culprit report culprit-demo-*
	[[ $output == *"launched from"*"demo.c:"* ]]
}

@test "its exit status, output and errors are the command's own" {
	needs_installation
	run -7 --separate-stderr culprit run -- sh -c 'echo out; echo err >&2; exit 7'
	[[ $output == out && $stderr == err ]]
	run -2 culprit no-such-command
}

@test "pytest finds the plugin, and python -m culprit_cuda is the command" {
	needs_installation
	python -c 'import importlib.metadata as m
(point,) = [p for p in m.entry_points(group="pytest11") if p.name == "culprit"]
assert point.value == "culprit_cuda.pytest_plugin"'
	run -0 python -m culprit_cuda --version
	[[ $output == culprit\ * ]]
}

@test "doctor accepts the script of the wheel, and names another project's culprit beside it" {
	needs_installation
	run culprit doctor
	[[ $output == *"ok    command     $BATS_FILE_TMPDIR/clean/bin/culprit"$'\n'* ]]
	[[ $output != *"another project"* ]]
	# pip lets another distribution replace the command without a word.
	mkdir -p bin site/culprit-9.9.dist-info
	printf 'Metadata-Version: 2.1\nName: culprit\nVersion: 9.9\n' >site/culprit-9.9.dist-info/METADATA
	printf '#!/bin/sh\necho another\n' >bin/culprit
	chmod +x bin/culprit
	export PATH=$PWD/bin:$PATH PYTHONPATH=$PWD/site
	[[ $(culprit) == another ]]
	run python -m culprit_cuda doctor
	[[ $output == *"warn  command     \`culprit\` is another program here, $PWD/bin/culprit; this one is $BATS_FILE_TMPDIR/clean/lib/"* ]]
	[[ $output == *"warn  command     the Python distribution culprit 9.9 of another project is in $PWD/site"* ]]
	# The plugin needs pytest; how to start it does not.
	[[ $(python -c 'from culprit_cuda import files; print(files.has_namesake())') == True ]]
}

@test "the package without its programs says so" {
	run -1 env PYTHONPATH="$root/python" python3 -m culprit_cuda --version
	[[ $output == "culprit: this package has no bin/culprit: install the wheel, not the sources" ]]
}

@test "uninstalling leaves nothing behind" {
	needs_installation
	pip --disable-pip-version-check uninstall -q -y culprit-cuda
	list_files | diff "$BATS_FILE_TMPDIR/before" -
}
