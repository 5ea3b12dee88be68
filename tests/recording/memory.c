/* memory.c - memory of each kind, copies and memsets, and calls about memory that are refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { GRANULE = 2 << 20, PAGE = 4096 };

static CUstream idle_stream(void)
{
	CUstream stream = any_stream();

	SAY(cuStreamSynchronize, stream);
	return stream;
}

static CUdeviceptr host_piece(enum piece_kind kind)
{
	void *host = NULL;

	if (kind == PIECE_REGISTERED) {
		NEED_TRUE(posix_memalign(&host, PAGE, PIECE) == 0);
		memset(host, 0, PIECE);
		SAY(cuMemHostRegister, host, PIECE, draw(4));
	} else if (draw(2)) {
		SAY(cuMemAllocHost, &host, PIECE);
	} else {
		SAY(cuMemHostAlloc, &host, PIECE, draw(8));
	}
	return (CUdeviceptr)(uintptr_t)host;
}

static void make_piece(struct piece *piece)
{
	CUstream stream = idle_stream();
	size_t pitch;

	piece->kind = PIECE_DEVICE + draw(PIECE_REGISTERED);
	if (piece->kind == PIECE_ORDERED)
		SAY(cuMemAllocAsync, &piece->address, PIECE, stream);
	else if (piece->kind == PIECE_MANAGED)
		SAY(cuMemAllocManaged, &piece->address, PIECE, CU_MEM_ATTACH_GLOBAL);
	else if (piece->kind != PIECE_DEVICE)
		piece->address = host_piece(piece->kind);
	else if (draw(4))
		SAY(cuMemAlloc, &piece->address, PIECE);
	else
		SAY(cuMemAllocPitch, &piece->address, &pitch, 100, PIECE / 512, 4);
	if (piece->kind == PIECE_ORDERED)
		SAY(cuStreamSynchronize, stream); /* other streams may use it, too */
	if (!piece->address) {                    /* what was drawn is refused here */
		piece->kind = SAY(cuMemAlloc, &piece->address, PIECE) ? PIECE_NONE : PIECE_DEVICE;
	}
}

static void free_piece(struct piece *piece)
{
	void *host = (void *)(uintptr_t)piece->address;

	wait_for_all();
	if (piece->kind == PIECE_ORDERED && draw(4)) {
		SAY(cuMemFreeAsync, piece->address, any_stream());
	} else if (piece->kind == PIECE_REGISTERED) {
		SAY(cuMemHostUnregister, host);
		free(host);
	} else if (piece->kind == PIECE_PINNED) {
		SAY(cuMemFreeHost, host);
	} else {
		SAY(cuMemFree, piece->address);
	}
	*piece = (struct piece){PIECE_NONE, 0};
}

void use_piece(void)
{
	unsigned i = draw(N_PIECES);
	struct piece *piece = &world.pieces[i];

	if (piece->kind && i > 0)
		free_piece(piece);
	else if (!piece->kind)
		make_piece(piece);
}

CUdeviceptr lasting_memory(void)
{
	if (!world.pieces[0].kind)
		make_piece(&world.pieces[0]);
	return world.pieces[0].address;
}

CUdeviceptr any_memory(void)
{
	struct piece *piece = &world.pieces[draw(N_PIECES)];

	if (!piece->kind)
		make_piece(piece);
	return piece->address;
}

void use_pool(void)
{
	CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
				     .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUstream stream = idle_stream();
	CUdeviceptr memory[2] = {0};
	CUmemoryPool pool = NULL;

	SAY(cuMemPoolCreate, &pool, &properties);
	for (int i = 0; i < 2; i++)
		SAY(cuMemAllocFromPoolAsync, &memory[i], (size_t)PIECE << i, pool, stream);
	if (draw(2))
		SAY(cuMemsetD8Async, memory[draw(2)], 1, 64, stream);
	SAY(cuStreamSynchronize, stream);
	for (int i = 0; i < 2; i++)
		SAY(cuMemFreeAsync, memory[i], stream);
	SAY(cuStreamSynchronize, stream);
	SAY(cuMemPoolDestroy, pool);
}

void use_virtual_memory(void)
{
	const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
				  .flags = draw(2) ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
						   : CU_MEM_ACCESS_FLAGS_PROT_READ};
	CUmemGenericAllocationHandle handle = 0;
	unsigned n = 1 + draw(3);
	CUdeviceptr address = 0;

	SAY(cuMemAddressReserve, &address, 3 * (size_t)GRANULE, 0, 0, 0);
	SAY(cuMemCreate, &handle, GRANULE, &properties, 0);
	for (unsigned i = 0; i < n; i++)
		SAY(cuMemMap, address + (size_t)i * GRANULE, GRANULE, 0, handle, 0);
	SAY(cuMemSetAccess, address, (size_t)(1 + draw(n)) * GRANULE, &access, 1);
	if (access.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		SAY(cuMemsetD8, address, 1, 64);
	wait_for_all();
	if (draw(2))
		SAY(cuMemRelease, handle);
	if (draw(2))
		SAY(cuMemSetAccess, address, GRANULE, &access, 1);
	if (draw(3) == 0)
		return;
	SAY(cuMemUnmap, address, (size_t)(1 + draw(n)) * GRANULE);
	if (draw(2))
		SAY(cuMemAddressFree, address, 3 * (size_t)GRANULE);
}

void use_array(void)
{
	const CUDA_ARRAY_DESCRIPTOR flat = {
		.Width = 64, .Height = 32, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 2};
	const CUDA_ARRAY3D_DESCRIPTOR deep = {.Width = 16,
					      .Height = 16,
					      .Depth = 4,
					      .Format = CU_AD_FORMAT_UNSIGNED_INT8,
					      .NumChannels = 1};
	static char host[PIECE];
	CUdeviceptr memory = any_memory();

	if (!world.array) {
		if (draw(2))
			SAY(cuArrayCreate, &world.array, &flat);
		else
			SAY(cuArray3DCreate, &world.array, &deep);
		return;
	}
	switch (draw(5)) {
	case 0:
		SAY(cuMemcpyHtoA, world.array, 0, host, 64);
		break;
	case 1:
		SAY(cuMemcpyAtoH, host, world.array, 16, 32);
		break;
	case 2:
		SAY(cuMemcpyDtoA, world.array, 0, memory, 128);
		break;
	case 3:
		SAY(cuMemcpyAtoD, memory, world.array, 0, 128);
		break;
	default:
		wait_for_all();
		SAY(cuArrayDestroy, world.array);
		world.array = NULL;
	}
}

/*
 * Memory of other processes, libraries and graphs, which simcuda does not simulate. If such calls
 * succeed (SIMCUDA_STUBS), the outputs keep these values.
 */
void use_shared_memory(void)
{
	const CUDA_EXTERNAL_MEMORY_HANDLE_DESC import = {.size = PIECE};
	const CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {.offset = 64, .size = PIECE / 2};
	const CUDA_ARRAY3D_DESCRIPTOR image = {
		.Width = 8, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
	static size_t next = 1 << 20;
	CUdeviceptr address = next, mapped = next + PIECE;
	CUexternalMemory external = (CUexternalMemory)(next + 64);
	CUmipmappedArray mipmap = (CUmipmappedArray)(next + 128);
	CUipcMemHandle handle;

	next += draw(2) * 4 * (size_t)PIECE;
	memset(&handle, 0, sizeof(handle));
	SAY(cuIpcGetMemHandle, &handle, lasting_memory());
	SAY(cuIpcOpenMemHandle, &address, handle, 1);
	SAY(cuImportExternalMemory, &external, &import);
	SAY(cuExternalMemoryGetMappedBuffer, &mapped, external, &part);
	SAY(cuMipmappedArrayCreate, &mipmap, &image, 1 + draw(3));
	if (draw(2))
		SAY(cuIpcCloseMemHandle, address);
	if (draw(2))
		SAY(cuMemFree, mapped);
	if (draw(2))
		SAY(cuDestroyExternalMemory, external);
	if (draw(2))
		SAY(cuMipmappedArrayDestroy, mipmap);
}

static void copy_shape(CUdeviceptr one, CUdeviceptr other, CUstream stream)
{
	unsigned n = draw(64);
	CUDA_MEMCPY2D flat = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			      .srcDevice = one,
			      .srcPitch = 64,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstDevice = other,
			      .dstPitch = 128,
			      .WidthInBytes = n + 1,
			      .Height = n % 8 + 1};
	CUDA_MEMCPY3D deep = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			      .srcDevice = one,
			      .srcPitch = 64,
			      .srcHeight = 4,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstDevice = other,
			      .dstPitch = 64,
			      .dstHeight = 4,
			      .WidthInBytes = n + 1,
			      .Height = n % 4 + 1,
			      .Depth = n % 5 + 1};

	switch (draw(4)) {
	case 0:
		SAY(cuMemcpy2D, &flat);
		break;
	case 1:
		SAY(cuMemcpy2DAsync, &flat, stream);
		break;
	case 2:
		SAY(cuMemcpy3D, &deep);
		break;
	default:
		SAY(cuMemcpy3DAsync, &deep, stream);
	}
}

void use_copy(void)
{
	CUdeviceptr one = any_memory();
	CUdeviceptr other = any_memory();
	CUstream stream = any_stream();
	size_t size = draw(8) ? (size_t)16 << draw(8) : draw(2) * (size_t)PIECE * 100;
	static char host[PIECE * 100];

	switch (draw(10)) {
	case 0:
		SAY(cuMemcpyHtoD, one, host, size);
		break;
	case 1:
		SAY(cuMemcpyDtoH, host, one, size);
		break;
	case 2:
		SAY(cuMemcpyDtoD, one, other, size);
		break;
	case 3:
		SAY(cuMemcpyHtoDAsync, one, host, size, stream);
		break;
	case 4:
		SAY(cuMemcpyDtoHAsync, host, one, size, stream);
		break;
	case 5:
		SAY(cuMemcpyDtoDAsync, one, other, size, stream);
		break;
	case 6:
		SAY(cuMemcpy, one, other, size);
		break;
	case 7:
		SAY(cuMemcpyAsync, one, other, size, stream);
		break;
	default:
		copy_shape(one, other, stream);
	}
}

void use_memset(void)
{
	CUdeviceptr memory = any_memory();
	CUstream stream = any_stream();
	unsigned n = 1 + draw(100);

	memory += n % 4 ? 0 : n % 16;

	switch (draw(8)) {
	case 0:
		SAY(cuMemsetD8, memory, 1, n);
		break;
	case 1:
		SAY(cuMemsetD16, memory, 2, n);
		break;
	case 2:
		SAY(cuMemsetD32, memory, 3, n);
		break;
	case 3:
		SAY(cuMemsetD8Async, memory, 1, n, stream);
		break;
	case 4:
		SAY(cuMemsetD16Async, memory, 2, n, stream);
		break;
	case 5:
		SAY(cuMemsetD32Async, memory, 3, n, stream);
		break;
	case 6:
		SAY(cuMemsetD2D8, memory, 256, 1, n, 4);
		break;
	default:
		SAY(cuMemsetD2D32Async, memory, 256, 1, 1 + n / 2, 4, stream);
	}
}

/* The host's memory, memory that was freed, and what the device does not have. */
void misuse_memory(void)
{
	void *host = (void *)(uintptr_t)any_memory();
	static char own[2 * PAGE];
	CUdeviceptr memory = 0;
	unsigned flags;

	flags = draw(4) == 0;
	SAY(cuMemHostGetDevicePointer, &memory, draw(2) ? host : own, flags);
	switch (draw(6)) {
	case 0:
		SAY(cuMemHostRegister, host, PAGE, 0);
		break;
	case 1:
		SAY(cuMemHostUnregister, draw(2) ? own : (char *)host + PAGE);
		break;
	case 2:
		SAY(cuMemFreeHost, draw(2) ? own : (char *)host + 64);
		break;
	case 3:
		SAY(cuMemFree, (CUdeviceptr)(uintptr_t)host + 8);
		break;
	case 4:
		SAY(cuMemAlloc, &memory, (size_t)1 << 50);
		break;
	default:
		SAY(cuMemAlloc, &memory, PAGE);
		SAY(cuMemFree, memory);
		SAY(cuMemFree, memory);
	}
}
