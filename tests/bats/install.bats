#!/usr/bin/env bats
# `cmake --install`: the installed tree works in place, and after it was moved.

load cli

# Install into ./prefix. CMake writes its list of installed files into the build folder: remove it.
install_here() {
	command -v cmake >/dev/null || skip "cmake is not here"
	cmake --install "$build" --prefix "$PWD/prefix" >install.log || {
		cat install.log
		return 1
	}
	rm -f "$build/install_manifest.txt"
}

@test "install: these files and no others, none of which needs the build folder" {
	install_here
	(cd prefix && find . -type f | LC_ALL=C sort) >found
	echo './bin/culprit
./bin/culprit-bisect-failure
./bin/culprit-group-bundles
./bin/culprit-retry-until-exact
./bin/culprit-watch-bundles
./include/culprit.h
./lib/culprit-demo/demo
./lib/culprit-demo/libcuda.so.1
./lib/culprit-demo/training.so
./lib/libculprit.so
./lib/pkgconfig/culprit.pc
./share/doc/culprit/CHANGELOG.md
./share/doc/culprit/LICENSE
./share/doc/culprit/README.md
./share/man/man1/culprit.1' | diff - found
	run grep -rlF "$build" prefix/lib/pkgconfig prefix/include
	[[ $status -eq 1 ]]
	if command -v readelf >/dev/null; then
		readelf -d prefix/bin/culprit prefix/lib/libculprit.so >dynamic
		run ! grep -F "$build" dynamic
	fi
}

@test "install: culprit run finds its library and names the culprit, also in a moved tree" {
	install_here
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	mv prefix elsewhere
	LD_LIBRARY_PATH=$build/lib/simcuda run --separate-stderr elsewhere/bin/culprit run --dir . -- \
		"$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $stderr == *"culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)"*stray_store* ]]
	run --separate-stderr elsewhere/bin/culprit report culprit-corpus-*
	[[ $status -eq 0 && $output == *"launched from"* ]]
	LD_LIBRARY_PATH=$build/lib/simcuda run --separate-stderr elsewhere/bin/culprit doctor --dir .
	[[ $output == *"ok    library     $(realpath elsewhere/lib/libculprit.so)"* ]]
}

@test "install: a C program compiles with the flags from pkg-config" {
	install_here
	compiler=cc
	[[ $(processor) == "$(uname -m)" ]] || compiler=$(processor)-linux-gnu-gcc
	for tool in "$compiler" pkg-config; do
		command -v "$tool" >/dev/null || skip "$tool is not here"
	done
	headers=$("$root/scripts/find-cuda")
	cat >asks.c <<'END'
#include <culprit.h>
#include <stdio.h>

#pragma weak cuEventCheckError

int main(void)
{
	puts(cuEventCheckError ? "under culprit" : "alone");
	return 0;
}
END
	export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig
	# The flags are words.
	# shellcheck disable=SC2046
	"$compiler" -std=c11 -Wall -Werror -isystem "$headers" asks.c -o asks $(pkg-config --cflags --libs culprit)
	[[ $(pkg-config --modversion culprit) == "$(prefix/bin/culprit --version | sed -n '1s/^culprit \([0-9.]*\).*/\1/p')" ]]
	[[ $(./asks) == alone ]]
	[[ $(prefix/bin/culprit run -- ./asks) == "under culprit" ]]
	[[ $(LD_PRELOAD=$(pkg-config --variable=library culprit) ./asks) == "under culprit" ]]
}

@test "install: Debian packages, and what was unpacked from them works" {
	for tool in cmake dpkg-deb dpkg-shlibdeps dpkg-architecture; do
		command -v "$tool" >/dev/null || skip "$tool is not here"
	done
	CULPRIT_BUILD=$build "$root/scripts/debian-package" packages >made
	triplet=$(processor)-linux-gnu
	for package in packages/*.deb; do
		[[ $(dpkg-deb -f "$package" Architecture) == "$(dpkg-architecture -t"$triplet" -qDEB_HOST_ARCH 2>/dev/null)" ]]
	done
	dpkg-deb -x packages/culprit_*.deb tree
	dpkg-deb -x packages/libculprit-dev_*.deb tree
	# The licences that gcc's refers to depend on its version.
	compgen -G 'tree/usr/share/doc/culprit/third-party/gcc-*.txt'
	(cd tree && find . -type f ! -path '*/third-party/G*' ! -path '*/third-party/gcc-*' | LC_ALL=C sort) >found
	echo "./usr/bin/culprit
./usr/bin/culprit-bisect-failure
./usr/bin/culprit-group-bundles
./usr/bin/culprit-retry-until-exact
./usr/bin/culprit-watch-bundles
./usr/include/culprit.h
./usr/lib/$triplet/culprit/culprit-demo/demo
./usr/lib/$triplet/culprit/culprit-demo/libcuda.so.1
./usr/lib/$triplet/culprit/culprit-demo/training.so
./usr/lib/$triplet/culprit/libculprit.so
./usr/lib/$triplet/pkgconfig/culprit.pc
./usr/share/bash-completion/completions/culprit
./usr/share/doc/culprit/CHANGELOG.md.gz
./usr/share/doc/culprit/README.md
./usr/share/doc/culprit/changelog.gz
./usr/share/doc/culprit/copyright
./usr/share/doc/culprit/third-party/README.txt
./usr/share/doc/libculprit-dev/changelog.gz
./usr/share/doc/libculprit-dev/copyright
./usr/share/fish/vendor_completions.d/culprit.fish
./usr/share/lintian/overrides/culprit
./usr/share/man/man1/culprit.1.gz
./usr/share/zsh/vendor-completions/_culprit" | diff - found
	dpkg-deb -f packages/culprit_*.deb Depends | grep -q 'libc6 (>= .*libdw1.*libjansson4'
	grep -q "^library=/usr/lib/$triplet/culprit/libculprit.so$" "tree/usr/lib/$triplet/pkgconfig/culprit.pc"
	# shellcheck disable=SC2034 # fail_on_simcuda runs it
	culprit=$PWD/tree/usr/bin/culprit
	fail_on_simcuda
	[[ $stderr == *"exact: launch #"*stray_store* ]]
}
