#!/usr/bin/env bats
# Files that are another one when their lines are asked for: a library that is built anew, a script that
# is edited, while the process runs.

load cli

setup_file() {
	export simcuda=$build/lib/simcuda
	mkdir "$BATS_FILE_TMPDIR/hot"
	cd "$BATS_FILE_TMPDIR/hot"
	cat >old.c <<-'END'
		int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
				   void *, void **, void **);
		int go(void *function, unsigned long long data, int is_far)
		{
			unsigned tag = 2;
			unsigned long long index = is_far ? 1ull << 43 : 0;
			void *parameters[] = {&tag, &data, &index};
			return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0);
		}
	END
	# The same length, with other functions first.
	{
		for n in 1 2 3 4 5 6 7; do echo "int innocent_$n(void) { return $n; }"; done
		cat old.c
	} >new.c
	cat >host.py <<-'END'
		import ctypes, os, sys
		cuda = ctypes.CDLL("libcuda.so.1")
		context, module, function, data = (ctypes.c_void_p() for _ in range(4))
		assert not cuda.cuInit(0)
		assert not cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
		assert not cuda.cuCtxSetCurrent(context)
		assert not cuda.cuMemAlloc_v2(ctypes.byref(data), 4096)
		assert not cuda.cuModuleLoad(ctypes.byref(module), sys.argv[1].encode())
		assert not cuda.cuModuleGetFunction(ctypes.byref(function), module, b"stray_store")
		plugin = ctypes.CDLL(os.path.realpath("plugin.so"))
		def launch(is_far):
		    assert not plugin.go(function, ctypes.c_ulonglong(data.value), is_far)
		launch(0)
		launch(1)
		os.system(sys.argv[2])
		cuda.cuCtxSynchronize()
		os._exit(1)
	END
}

# make SOURCE [FLAG...]: the plug-in that the host has open.
make_plugin() {
	local source=$1
	shift
	rm -f plugin.so
	cc -g -O0 -shared -fPIC -w "$@" -o plugin.so "$source"
}

# host COMMAND: runs that between the launch and its failure; the plug-in's line is in $launched.
host() {
	need_preload python3
	cp -r "$BATS_FILE_TMPDIR/hot/." .
	LD_LIBRARY_PATH=$simcuda culprit run --dir bundles --python off -- \
		python3 host.py "$build/lib/simcuda-kernels/stray_store.so" "$1"
	echo "$stderr"
	((status == 1))
	launched=$(grep '^  launched from' <<<"$stderr")
}

@test "a library without a build-id that is built anew names no line, and it is said" {
	cp "$BATS_FILE_TMPDIR"/hot/* .
	make_plugin old.c -Wl,--build-id=none
	host true
	[[ $launched == *old.c:8\ go* ]]
	host 'rm plugin.so; cc -g -O0 -shared -fPIC -w -Wl,--build-id=none -o plugin.so new.c'
	[[ $launched == *plugin.so+0x* && $launched != *innocent* && $launched != *new.c* ]]
	says "*/plugin.so: the file has changed since (its inode, size or time differs); its lines are not shown"
	# The stored report knows no better.
	rm -rf bundles
	make_plugin old.c -Wl,--build-id=none
	host 'touch -d 1990-01-01 plugin.so'
	[[ $launched == *plugin.so+0x* ]]
}

@test "with a build-id it decides" {
	cp "$BATS_FILE_TMPDIR"/hot/* .
	make_plugin old.c -Wl,--build-id
	host 'touch -d 1990-01-01 plugin.so; cp plugin.so copy.so; mv copy.so plugin.so'
	[[ $launched == *old.c:8\ go* ]]
	make_plugin old.c -Wl,--build-id
	host 'rm plugin.so; cc -g -O0 -shared -fPIC -w -Wl,--build-id -o plugin.so new.c'
	[[ $launched == *plugin.so+0x* ]]
	says "*/plugin.so: the file has changed since (its build-id differs); its lines are not shown"
}

@test "of source that is edited while the process runs no line is shown, and it is said" {
	cp "$BATS_FILE_TMPDIR"/hot/* .
	make_plugin old.c -Wl,--build-id
	local edit
	need_preload python3
	for edit in true "sed -i '1i # edited' host.py"; do
		rm -rf bundles pack.*
		cp "$BATS_FILE_TMPDIR"/hot/host.py .
		LD_LIBRARY_PATH=$simcuda culprit run --dir bundles -- \
			python3 host.py "$build/lib/simcuda-kernels/stray_store.so" "$edit"
		grep -q '^  launched from   host.py:12 launch  <- host.py:14 <module>$' <<<"$stderr"
		"$culprit" report -f html bundles >page.html
		if [[ $edit == true ]]; then
			grep -qF '<mark>    assert not plugin.go' page.html
		else
			! grep -qF 'plugin.go' page.html
			grep -qF 'the file has changed since the process first used the GPU' page.html
		fi
	done
	"$culprit" pack -o pack.tar.gz bundles/culprit-*
	tar -xzf pack.tar.gz
	grep -rq 'host.py:12: the file has changed since the process first used the GPU$' --include=source.txt .
}
