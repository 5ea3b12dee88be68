#!/usr/bin/env bats
# `culprit run --inspect`: what is in the memory that launches are given, before and after.

load inspected

@test "inspect: a NaN, the launch that was given it and the one that made it" {
	write_poison
	print --require-cuda --inspect=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 0 && $(<out) == 1 && ! -s err ]]
	diff <(sed -E 's/^[0-9]+ /PID /; s/poison.py:[0-9]+ /poison.py:N /g' lines) - <<-'END'
		PID  inspected #3 reverse at poison.py:N call
		  0: #1+0, 1024 bytes as f32?: min 1, max 1.99609, mean 1.49995, 1 NaN; 64 changed: min 1, max 1.99609, mean 1.49995, 1 NaN
		     given before to #2 store at poison.py:N call
	END
	# A launch that is captured is not looked at; others have lines only with --print.
	print --inspect=store --inspect-as i32 --print=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	grep -q '^  0: #1+0, 1024 bytes as i32: min 1065353216, max .*; 1 changed: ' lines
	[[ $(grep -c '  reverse<<<' lines) -eq 2 && $(grep -c '  captured  reverse<<<' lines) -eq 1 ]]
}

@test "inspect: of a launch that fails it is told what it was given, and the verdict is as ever" {
	demo --inspect=scatter_add --print-to lines
	[[ $ended -eq 1 ]]
	grep -qE '^[0-9]+  inspected #77 scatter_add at demo\.c:100 update_rows; waiting for it returned 700$' lines
	grep -A1 '^  1: #3+18432, first 4096 bytes as i32?: .*; not read afterwards$' lines |
		grep -q '^     given before to #75 scatter_add at demo.c:100 update_rows, #73 scatter_add'
	[[ $(grep -c '  inspected ' lines) -eq 37 ]]
	grep -q '^culprit: .* exact: launch #77, scatter_add' err
}

# network OPTION...: of a program with C++ kernels.
network() {
	write_network
	print --print-to lines "$@" -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 && ! -s err ]]
}

inspected() {
	grep -o 'inspected #[0-9]* [^ ]*' lines | cut -d' ' -f2-
}

@test "inspect: kernels by their names in the source and by those that were compiled" {
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

# Nobody is there who answers: the names that were compiled are all there is.
@test "inspect: without culprit run it is by compiled names, and the program runs as ever" {
	write_network
	run env LD_LIBRARY_PATH="$build/lib/simcuda" LD_PRELOAD="$build/lib/libculprit.so" \
		CULPRIT_INSPECT='layers::' python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $status -eq 0 && -z $output ]]
}
