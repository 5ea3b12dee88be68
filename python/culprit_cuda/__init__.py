"""culprit names the CUDA launch behind a late, sticky error.

The work is done by a library that is loaded before a program starts, and by the command `culprit`.
This package brings both, and for programs in Python:

    culprit_cuda.library         what libculprit.so answers the process that it is loaded into
    culprit_cuda.verdict         the report on a bundle, as the command gives it
    culprit_cuda.pytest_plugin   charges a GPU failure to the test that launched it
    culprit_cuda.torch_memory    which tensor of PyTorch's a suspect's pointer led to
    culprit_cuda.notebook        %load_ext culprit_cuda: charges it to the cell that launched it
    culprit_cuda.kernel_spec     a Jupyter kernel that starts with the library
"""


def load_ipython_extension(shell):
    from culprit_cuda import notebook

    notebook.load(shell)


def unload_ipython_extension(shell):
    from culprit_cuda import notebook

    notebook.unload(shell)
