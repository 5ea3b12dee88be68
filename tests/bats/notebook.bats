#!/usr/bin/env bats
# The IPython extension and the kernel spec, in a real kernel on simcuda: ipykernel and nbclient are in
# the environment that scripts/make-clients makes.

bats_require_minimum_version 1.5.0
load cli

setup() {
	python=$build/clients/venv/bin/python
	[[ -e $build/clients/fingerprint ]] ||
		skip "the Python clients are not here: run scripts/make-clients"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!JUPYTER_@}" LD_PRELOAD DEBUGINFOD_URLS
	export PATH=$build/bin:$PATH LD_LIBRARY_PATH=$build/lib/simcuda HOME=$PWD IPYTHONDIR=$PWD/ipython
	export PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1 KERNELS=$build/lib/simcuda-kernels
}

@test "a kernel of the kernel spec shows the failure below its cell, with the cell that launched" {
	run -0 "$python" -m culprit_cuda kernelspec --prefix prefix
	[[ $output == */prefix/share/jupyter/kernels/culprit || $output == prefix/share/jupyter/kernels/culprit ]]
	JUPYTER_PATH=$PWD/prefix/share/jupyter run -0 \
		"$python" "$root/tests/notebook/run.py" "$root/tests/notebook/simulated.py" culprit
	# The cells up to the failure have no output of ours.
	[[ ${output%%'--- In [5]'*} != *[Cc]ulprit* ]]
	seen=${output#*'--- In [5]'}
	later=${seen#*'--- In [6]'}
	seen=${seen%%'--- In [6]'*}
	[[ $seen == *"RuntimeError: CUDA error 700"*"error[700]: illegal memory access: stray_store "* ]]
	[[ $seen == *$'\n  launched by In [3], seen by In [5]\n'*'In[3]:2 <module>'* && $seen != */ipykernel_* ]]
	[[ $seen == *'text/html:'*'<br>launched by In [3], seen by In [5]</p>'*'Restart the kernel'*'</div>'* ]]
	# Later cells that fail get one line, the others nothing.
	[[ $(grep -c 'Restart the kernel' <<<"${later%%'--- In [7]'*}") == 2 && $later != *'error[700]'* ]]
	[[ ${later#*'--- In [7]'} != *Restart* ]]
}

@test "without the library the extension says so, once" {
	printf '%%load_ext culprit_cuda\n# %%%%\n1 / 0\n' >cells.py
	run -0 "$python" "$root/tests/notebook/run.py" cells.py
	[[ $output == *"culprit is not loaded: start Jupyter as"*"--- In [2]"*ZeroDivisionError* ]]
	[[ ${output#*'--- In [2]'} != *culprit* ]]
}
