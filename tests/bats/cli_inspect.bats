#!/usr/bin/env bats
# `culprit run --inspect`: what the memory of a launch's arguments holds before and after it.

load inspected

@test "inspect: shows a NaN, the launch that got it and the launch that made it" {
	write_poison
	print --require-cuda --inspect=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 0 && $(<out) == 1 && ! -s err ]]
	diff <(sed -E 's/^[0-9]+ /PID /; s/poison.py:[0-9]+ /poison.py:N /g; s/0x[0-9a-f]+/0xA/g' lines) - <<-'END'
		PID  inspected #3  reverse<<<(1,1,1),(64,1,1)>>>  stream 0xA  poison.py:N call
		  argument 0: 0xA=#1+0, 256 x f32?
		    before  min 1, max 1.99609, mean 1.49995, 1 NaN, the first at [3]
		    after   min 1, max 1.99609, mean 1.49995, 1 NaN, the first at [60]; 64 changed
		    previously passed to #2 store at poison.py:N call
	END
	# A captured launch is not inspected; launches that are not inspected have lines only with --print.
	print --inspect=store --inspect-as i32 --print=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	grep -qE '^  argument 0: 0x[0-9a-f]+=#1\+0, 256 x i32$' lines
	grep -A2 '^  argument 0' lines | grep -q '^    before  min 1065353216, max [0-9]*, mean [0-9.e+]*$'
	grep -q '^    after   min 1065353216, max [0-9]*, mean [0-9.e+]*; 1 changed$' lines
	[[ $(grep -c '  reverse<<<' lines) -eq 2 && $(grep -c '  captured  reverse<<<' lines) -eq 1 ]]
}

@test "inspect: shows the arguments of a launch that fails, and leaves the verdict as it is" {
	demo --inspect=scatter_add --print-to lines
	[[ $ended -eq 1 ]]
	grep -qE '^[0-9]+  inspected #77  scatter_add<<<.*>>>  stream 0x[0-9a-f]+  demo\.c:100 update_rows; waiting for it returned 700$' lines
	grep -A2 '^  argument 1: 0x[0-9a-f]*=#3+18432, first 1024 x i32?$' lines >last
	grep -q '^    before  .*; not read afterwards$' last
	grep -q '^    allocation previously passed to #75 scatter_add at demo.c:100 update_rows, #73 scatter_add' last
	[[ $(grep -c '  inspected ' lines) -eq 37 ]]
	grep -q '^culprit: .* exact: launch #77, scatter_add' err
}

# network OPTION...: run a program with C++ kernels under `culprit run OPTION...`.
network() {
	write_network
	print --print-to lines "$@" -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 && ! -s err ]]
}

inspected() {
	grep -oE 'inspected #[0-9]+  [^<]*<[a-z]*>' lines | sed 's/inspected //; s/  / /'
}

@test "inspect: selects kernels by their demangled and by their mangled names" {
	network --inspect='layers::(divide|add)<float>\('
	[[ $(inspected) == $'#4 layers::divide<float>\n#5 layers::add<float>' ]]
	network --inspect='^_ZN6layers3addIf'
	[[ $(inspected) == '#5 layers::add<float>' ]]
	network --inspect='nowhere::'
	[[ ! -s lines ]]
	network --print='layers::add<float>\(float\*, float const\*'
	[[ $(wc -l <lines) -eq 1 && $(<lines) == *'  #5  layers::add<float><<<'* ]]
	network --print='^_ZN6layers5scaleIf'
	[[ $(grep -c '  layers::scale<float><<<' lines) -eq 2 && $(wc -l <lines) -eq 2 ]]
}

@test "inspect: names the launch that made a NaN and the launch that passed it on" {
	network --inspect='layers::'
	sed -E 's/^[0-9]+ /PID /; s/.py:[0-9]+ /.py:N /g; s/=?0x[0-9a-f]+/0xA/g' lines >told
	diff <(sed -n '/#4  layers/,/#5  layers/p' told) - <<-'END'
		PID  inspected #4  layers::divide<float><<<(4,1,1),(64,1,1)>>>  stream 0xA  network.py:N call
		  argument 0: 0xA=#4+0, 256 x f32?
		    before  min 0, max 0, mean 0
		    after   min 0.0625, max 0.0625, mean 0.0625, 1 NaN, the first at [0]; 256 changed
		  argument 1: 0xA=#3+0, 256 x f32?
		    before  min 0, max 1.99219, mean 0.996094; unchanged
		    previously passed to #3 layers::scale<float> at network.py:N call
		  argument 2: 0xA=#2+0, 256 x f32?
		    before  min 0, max 31.875, mean 15.9375; unchanged
		  => argument 0: 1 NaN, made here: none of the inspected arguments had any before
		PID  inspected #5  layers::add<float><<<(4,1,1),(64,1,1)>>>  stream 0xA  network.py:N call
	END
	diff <(sed -n '/#6  layers/,/#7  layers/p' told | tail -n 6 | head -n 5) - <<-'END'
		  argument 1: 0xA=#5+0, 256 x f32?
		    before  min 1.0625, max 1.0625, mean 1.0625, 1 NaN, the first at [0]; unchanged
		    from    #5 layers::add<float> at network.py:N call
		    made by #4 layers::divide<float> at network.py:N call
		  => argument 0: 1 NaN, passed on from argument 1
	END
	# If a launch is inspected alone, the report says which launch was given the memory before.
	network --inspect='add<float>'
	grep -A1 ' 1 NaN, the first at .*; unchanged$' lines |
		grep -q '^    previously passed to #4 layers::divide<float> at network.py:'
}

@test "inspect: distinguishes tensors in one allocation" {
	POOL=1 network --inspect='layers::'
	diff <(grep '=>' lines) - <<-'END'
		  => argument 0: 1 NaN, made here: none of the inspected arguments had any before
		  => argument 0: 1 NaN, passed on from argument 1
		  => argument 0: 1 NaN, passed on from argument 1
		  => argument 1: 1 NaN, passed on from argument 1 + 8
	END
	grep -qE '^  argument 1: 0x[0-9a-f]+=#1\+3072, first 256 x f32\?$' lines
	[[ $(grep -c '^    made by #4 ' lines) -eq 2 ]]
	POOL=1 network --inspect='divide'
	grep -q '^    previously passed to #3 layers::scale<float> at ' lines
	grep -q '^    allocation previously passed to #3 layers::scale<float> at ' lines
}

@test "print: shows the pointers in a structure, with their allocations" {
	network --print=multiply
	grep -qE '\(256, \{24 bytes: 0x[0-9a-f]+=#7\+0, 0x[0-9a-f]+=#6\+0, 0x[0-9a-f]+=#1\+0\}\)  stream' lines
}

# Without culprit run no process answers, so kernels are matched by their mangled names.
@test "inspect: without culprit run it matches mangled names, and the program runs as usual" {
	write_network
	run env LD_LIBRARY_PATH="$build/lib/simcuda" LD_PRELOAD="$build/lib/libculprit.so" \
		CULPRIT_INSPECT='layers::' python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $status -eq 0 && -z $output ]]
}
