/*
 * coredump_image.c - make a GPU core dump with the layout of driver 580.159: an ELF file of tables.
 * It contains only the fault: one thread, its warp, block, grid and multiprocessor, the grid's
 * parameters, and the kernel's symbol.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coredump/faulted.h"
#include "coredump/gpu_coredump.h"
#include "objects.h"
#include "sim.h"
#include "work/work.h"

#include "coredump/coredump_image.h"

enum { OSABI_CUDA = 0x33, MACHINE_CUDA = 190, OTHER_CUDA_ENTRY = 0x10 };
#define FIRST_TABLE_TYPE 0x80000000u

/* The size of the kernel's code in the dump, and the offset of the fault in it. */
enum { CODE_SIZE = 64, FAULT_OFFSET = 16 };

enum { MAX_SECTIONS = 16 };

struct file {
	unsigned char *bytes;
	size_t size, capacity;
	Elf64_Shdr sections[MAX_SECTIONS];
	Elf64_Half n_sections;
};

/* The first members of the driver's rows; in a real file, each is followed by `rest`. */
struct device_row {
	uint64_t name, type, sm_type;
	uint32_t number, bus, device, n_sms, n_warps, n_lanes;
};
struct context_row {
	uint64_t handle, shared_base, local_base, global_base;
	uint32_t device, host_tid;
};
struct grid_row {
	uint64_t id, context, function, entry, module, parent, parameters;
	uint32_t kernel_type, origin, status, n_registers;
	uint32_t grid[3], block[3];
	uint32_t is_blocking, host_tid;
	uint32_t cluster[3];
	uint32_t rest[5];
};
struct sm_row {
	uint32_t id, unused, exception, is_pc_valid;
	uint64_t pc;
	uint64_t rest[3];
};
struct block_row {
	uint64_t grid;
	uint32_t index[3];
	uint32_t rest[9];
};
struct warp_row {
	uint64_t pc;
	uint32_t id, valid_lanes, active_lanes, is_broken, is_pc_valid;
	uint32_t rest[9];
};
struct lane_row {
	uint64_t pc, physical_pc;
	uint32_t id, thread[3], exception, call_depth;
	uint32_t rest[4];
};
struct meta_row {
	uint64_t generator;
	uint32_t driver[2], cuda[2], flags, time;
};
_Static_assert(sizeof(struct grid_row) == 0x88, "as measured");
_Static_assert(sizeof(struct sm_row) == 0x30, "as measured");
_Static_assert(sizeof(struct block_row) == 0x38, "as measured");
_Static_assert(sizeof(struct warp_row) == 0x40, "as measured");
_Static_assert(sizeof(struct lane_row) == 0x38, "as measured");

static size_t append(struct file *file, const void *bytes, size_t size)
{
	size_t at = (file->size + 7) & ~(size_t)7;
	if (at + size > file->capacity) {
		file->capacity = 2 * (at + size);
		file->bytes = realloc(file->bytes, file->capacity);
		if (!file->bytes)
			abort();
	}
	memset(file->bytes + file->size, 0, at - file->size);
	if (size > 0)
		memcpy(file->bytes + at, bytes, size);
	file->size = at + size;
	return at;
}

static Elf64_Half add_section(struct file *file, Elf64_Shdr header, const void *bytes, size_t size)
{
	header.sh_offset = append(file, bytes, size);
	header.sh_size = size;
	file->sections[file->n_sections] = header;
	return file->n_sections++;
}

/* Add a table with one row, whose parent is row 0 of the section `parent`. */
static Elf64_Half add_row(struct file *file, enum gpu_table table, Elf64_Half parent,
			  const void *row, size_t size)
{
	return add_section(file,
			   (Elf64_Shdr){.sh_type = FIRST_TABLE_TYPE + (Elf64_Word)table,
					.sh_link = parent,
					.sh_entsize = size},
			   row, size);
}

static void begin_file(struct file *file)
{
	const Elf64_Ehdr header = {0};
	append(file, &header, sizeof(header));
	file->n_sections = 1; /* the null section */
}

static void end_file(struct file *file, Elf64_Ehdr header, Elf64_Half names)
{
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	header.e_version = EV_CURRENT;
	header.e_ehsize = sizeof(header);
	header.e_shentsize = sizeof(Elf64_Shdr);
	header.e_shnum = file->n_sections;
	header.e_shstrndx = names;
	header.e_shoff = append(file, file->sections, file->n_sections * sizeof(Elf64_Shdr));
	memcpy(file->bytes, &header, sizeof(header));
}

/* Work of a green context appears as work of its primary context. */
static uint64_t context_of(const struct operation *operation)
{
	CUcontext context = operation->stream->context;
	return (uintptr_t)(context->primary ? context->primary : context);
}

static uint64_t entry_of(const struct kernel_work *work)
{
	return (uint64_t)(uintptr_t)work->function->kernel->invoke;
}

/* Add the loaded code: a symbol for the kernel, without instructions. */
static void add_image(struct file *dump, const struct kernel_work *work)
{
	static const char section_names[] = "\0.shstrtab";
	const char *kernel = work->function->kernel->name;
	size_t name_size = strlen(kernel) + 1;
	char *names = sim_alloc(name_size + 1);
	struct file image = {.bytes = NULL};
	Elf64_Sym symbols[2] = {{.st_name = 0},
				{.st_name = 1,
				 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				 .st_other = OTHER_CUDA_ENTRY,
				 .st_value = entry_of(work),
				 .st_size = CODE_SIZE}};
	unsigned char code[CODE_SIZE] = {0};
	memcpy(names + 1, kernel, name_size);
	begin_file(&image);
	Elf64_Half text = add_section(&image,
				      (Elf64_Shdr){.sh_type = SHT_PROGBITS,
						   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
						   .sh_addr = entry_of(work)},
				      code, sizeof(code));
	Elf64_Half strings =
		add_section(&image, (Elf64_Shdr){.sh_type = SHT_STRTAB}, names, name_size + 1);
	symbols[1].st_shndx = text;
	add_section(&image,
		    (Elf64_Shdr){.sh_type = SHT_SYMTAB,
				 .sh_link = strings,
				 .sh_entsize = sizeof(symbols[0])},
		    symbols, sizeof(symbols));
	Elf64_Half section_strings = add_section(&image, (Elf64_Shdr){.sh_type = SHT_STRTAB},
						 section_names, sizeof(section_names));
	end_file(&image, (Elf64_Ehdr){.e_type = ET_EXEC, .e_machine = MACHINE_CUDA},
		 section_strings);
	add_section(dump, (Elf64_Shdr){.sh_type = FIRST_TABLE_TYPE + GPU_TABLE_IMAGE}, image.bytes,
		    image.size);
	free(image.bytes);
	free(names);
}

static uint32_t exception_of(const struct kernel_work *work, CUresult code)
{
	if (work->data_run)
		return GPU_EXCEPTION_WARP_ILLEGAL_INSTRUCTION;
	switch (code) {
	case CUDA_SUCCESS:
		return GPU_EXCEPTION_NONE; /* the kernel is running */
	case CUDA_ERROR_ILLEGAL_INSTRUCTION:
		return GPU_EXCEPTION_WARP_ILLEGAL_INSTRUCTION;
	case CUDA_ERROR_MISALIGNED_ADDRESS:
		return GPU_EXCEPTION_WARP_MISALIGNED;
	case CUDA_ERROR_ASSERT:
		return GPU_EXCEPTION_WARP_ASSERT;
	case CUDA_ERROR_LAUNCH_FAILED:
		return GPU_EXCEPTION_NONE; /* a trap has no exception */
	default:
		return GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS;
	}
}

static void copy_dim(uint32_t out[3], struct simcuda_dim dim)
{
	out[0] = dim.x;
	out[1] = dim.y;
	out[2] = dim.z;
}

static Elf64_Half add_device(struct file *dump, const struct operation *operation)
{
	const struct device_row row = {.name = 1,
				       .type = 1,
				       .sm_type = 16,
				       .number = (uint32_t)operation->stream->context->device,
				       .n_sms = 132,
				       .n_warps = 64,
				       .n_lanes = 32};
	return add_row(dump, GPU_TABLE_DEVICE, 0, &row, sizeof(row));
}

/* The driver shows a cooperative grid as one block or cluster, whatever its size. */
static void set_shape(struct grid_row *row, const struct kernel_work *work)
{
	const struct simcuda_dim one = {1, 1, 1};
	bool has_clusters = work->cluster.x != 0;
	copy_dim(row->grid, !work->is_cooperative ? work->grid
			    : has_clusters        ? work->cluster
						  : one);
	copy_dim(row->block, work->block);
	copy_dim(row->cluster, work->cluster);
}

static void add_grid(struct file *dump, Elf64_Half device, const struct operation *operation,
		     const struct kernel_work *work)
{
	struct grid_row row = {
		.id = operation->submission.launch ? operation->submission.launch
						   : operation->submission.number,
		.context = context_of(operation),
		.function = (uintptr_t)work->function,
		.entry = entry_of(work),
		.module = (uintptr_t)work->function->module,
		.parameters = work->params_size > 0 ? 1 : 0,
	};
	set_shape(&row, work);
	Elf64_Half section = add_row(dump, GPU_TABLE_GRID, device, &row, sizeof(row));
	if (work->params_size > 0)
		add_section(dump,
			    (Elf64_Shdr){.sh_type = FIRST_TABLE_TYPE + GPU_TABLE_PARAMETERS,
					 .sh_link = section},
			    work->params, work->params_size);
}

static uint32_t lane_of(const struct kernel_work *work)
{
	const struct simcuda_dim *thread = &work->fault_thread;
	return (thread->x + work->block.x * (thread->y + work->block.y * thread->z)) % 32;
}

static uint64_t fault_pc(const struct kernel_work *work)
{
	return work->data_run ? work->data_run : entry_of(work) + FAULT_OFFSET;
}

/* Add block, warp and lane of the faulted thread, below its multiprocessor. */
static void add_thread(struct file *dump, Elf64_Half sm, uint64_t grid_id,
		       const struct kernel_work *work, uint32_t exception)
{
	uint64_t pc = fault_pc(work);
	struct block_row block = {.grid = grid_id};
	struct warp_row warp = {.pc = exception ? pc : 0,
				.valid_lanes = 1u << lane_of(work),
				.active_lanes = 1u << lane_of(work),
				.is_broken = 1,
				.is_pc_valid = exception != 0};
	struct lane_row lane = {
		.pc = pc, .physical_pc = pc, .id = lane_of(work), .exception = exception};
	copy_dim(block.index, work->fault_block);
	copy_dim(lane.thread, work->fault_thread);
	Elf64_Half blocks = add_row(dump, GPU_TABLE_BLOCK, sm, &block, sizeof(block));
	Elf64_Half warps = add_row(dump, GPU_TABLE_WARP, blocks, &warp, sizeof(warp));
	add_row(dump, GPU_TABLE_LANE, warps, &lane, sizeof(lane));
}

/* Add all tables. If the warp has left the GPU, only the multiprocessor shows the fault. */
static void add_tables(struct file *dump, const struct operation *operation, CUresult code)
{
	const struct kernel_work *work = faulted_kernel(operation);
	uint32_t exception = exception_of(work, code);
	bool is_gone = faulted_lost_warp(operation, code);
	struct sm_row sm = {.exception = exception,
			    .is_pc_valid = exception != 0,
			    .pc = exception ? fault_pc(work) : 0};
	Elf64_Half device = add_device(dump, operation);
	Elf64_Half sms = 0;
	uint64_t launch = operation->submission.launch;
	if (!is_gone)
		add_grid(dump, device, operation, work);
	sms = add_row(dump, GPU_TABLE_SM, device, &sm, sizeof(sm));
	if (!is_gone)
		add_thread(dump, sms, launch ? launch : operation->submission.number, work,
			   exception);
}

unsigned char *coredump_bytes(const struct operation *operation, CUresult code, size_t *out_size)
{
	static const char strings[] = "\0simcuda device\0sm_90\0simcuda";
	static const char names[] = "\0.shstrtab";
	const struct context_row context = {.handle = context_of(operation)};
	const struct meta_row meta = {.generator = 22,
				      .driver = {580, 159},
				      .cuda = {13, 0},
				      .time = (uint32_t)time(NULL)};
	struct file dump = {.bytes = NULL};
	begin_file(&dump);
	Elf64_Half section_names =
		add_section(&dump, (Elf64_Shdr){.sh_type = SHT_STRTAB}, names, sizeof(names));
	add_section(&dump, (Elf64_Shdr){.sh_type = SHT_STRTAB}, strings, sizeof(strings));
	add_tables(&dump, operation, code);
	add_row(&dump, GPU_TABLE_CONTEXT, 0, &context, sizeof(context));
	add_image(&dump, faulted_kernel(operation));
	add_row(&dump, GPU_TABLE_META, 0, &meta, sizeof(meta));
	end_file(&dump,
		 (Elf64_Ehdr){.e_type = ET_CORE,
			      .e_machine = MACHINE_CUDA,
			      .e_ident = {[EI_OSABI] = OSABI_CUDA}},
		 section_names);
	*out_size = dump.size;
	return dump.bytes;
}
