# Programs into which a test loads the library. If the build is for another processor than this machine
# has, they are those that scripts/setup --target has fetched. $build is the build folder.

load emulator

# Print the processor that the build is for, such as aarch64.
processor() {
	sed -n 's/^set(CMAKE_SYSTEM_PROCESSOR "\(.*\)")/\1/p' "$build"/CMakeFiles/*/CMakeSystem.cmake | head -n 1
}

# Let programs for the build's processor come first, if scripts/setup has fetched any.
use_programs() {
	PATH=$BATS_TEST_DIRNAME/../../build/programs-$(processor):$PATH
}

# need_preload PROGRAM...: skip the test unless the library can be loaded into the programs.
need_preload() {
	local program
	for program; do
		[[ $(LD_PRELOAD=$build/lib/libculprit.so "$program" --version 2>&1 </dev/null) != *'cannot be preloaded'* ]] ||
			skip "$program is for another processor and cannot load the library"
	done
}

# settle_in FOLDER: wait until no process is left whose bundle belongs in the folder. On a busy machine, the one that
# works aside for a program may outlive it and its `culprit run`: it makes a bundle, finds that none is wanted, and
# removes it.
settle_in() {
	local folder
	folder=$(realpath "$1")
	while grep -qszxF "CULPRIT_DIR=$folder" /proc/[0-9]*/environ; do :; done
}

# use_tools NAME...: let cc and other tools, such as objcopy, work for the build's processor.
use_tools() {
	local name
	[[ $(processor) != "$(uname -m)" ]] || return 0
	mkdir -p "$BATS_FILE_TMPDIR/tools"
	for name; do
		ln -sf "$(command -v "$(processor)-linux-gnu-${name/#cc/gcc}")" "$BATS_FILE_TMPDIR/tools/$name"
	done
	PATH=$BATS_FILE_TMPDIR/tools:$PATH
}

# without_emulator FILE: remove the line by which qemu-user says that a signal ended the program, and the
# loader's about a program such as timeout, which is for another processor than the library.
without_emulator() {
	sed -i '/^qemu: uncaught target signal [0-9]* /d; /^ERROR: ld.so: object .* cannot be preloaded /d' "$1"
}
