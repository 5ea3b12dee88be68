"""Asks the driver itself for memory, without a framework between: cuMemAlloc of 1 PiB, then of 1 MiB."""

from cuda.bindings import driver

driver.cuInit(0)
error, device = driver.cuDeviceGet(0)
error, context = driver.cuDevicePrimaryCtxRetain(device)
driver.cuCtxSetCurrent(context)
error, pointer = driver.cuMemAlloc(1 << 50)
print("1 PiB:", error.name)
error, pointer = driver.cuMemAlloc(1 << 20)
print("1 MiB:", error.name)
print("free:", driver.cuMemFree(pointer)[0].name)
print("release:", driver.cuDevicePrimaryCtxRelease(device)[0].name)
