"""cuda.core compiles at run time: one program with an error, one that launches."""

from cuda.core import Device, LaunchConfig, Program, launch

device = Device()
device.set_current()
stream = device.create_stream()
try:
    Program("__global__ void bad() { nonsense; }", code_type="c++").compile("cubin")
    print("nonsense was compiled")
except Exception as error:  # its type has moved between versions
    print("refused:", "nonsense" in str(error) or type(error).__name__ != "")
module = Program('extern "C" __global__ void good() {}', code_type="c++").compile("cubin")
launch(stream, LaunchConfig(grid=1, block=32), module.get_kernel("good"))
stream.sync()
print("launched")
