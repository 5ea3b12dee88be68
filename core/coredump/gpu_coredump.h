/*
 * gpu_coredump.h - reads the tables of a GPU core dump of the CUDA driver: an ELF64 core file whose
 * sections are tables of devices, contexts, grids, SMs, blocks, warps and lanes. The bytes are not
 * trusted, and nothing is allocated. Rows are stepped by the file's own row size, because newer
 * drivers have larger rows. The layout was checked on dumps of driver 580.159 (CUDA 13.0).
 */
#ifndef CULPRIT_COREDUMP_GPU_COREDUMP_H
#define CULPRIT_COREDUMP_GPU_COREDUMP_H

#include "coredump/elf_sections.h"

/* Section types of the file, minus 0x80000000. */
enum gpu_table {
	GPU_TABLE_IMAGE = 7, /* no rows: an ELF file with the loaded code */
	GPU_TABLE_DEVICE = 9,
	GPU_TABLE_CONTEXT = 10,
	GPU_TABLE_SM = 11,
	GPU_TABLE_GRID = 12,
	GPU_TABLE_BLOCK = 13,
	GPU_TABLE_WARP = 14,
	GPU_TABLE_LANE = 15,
	GPU_TABLE_PARAMETERS = 18, /* no rows: bytes */
	GPU_TABLE_META = 22,
};

/* Why a lane, a warp or an SM stopped, from gpu_exception_codes.def. */
enum gpu_exception {
	GPU_EXCEPTION_NONE = 0,
#define GPU_EXCEPTION(code, name, result, scope, text) GPU_EXCEPTION_##name = (code),
#include "coredump/gpu_exception_codes.def"
#undef GPU_EXCEPTION
	GPU_MAX_EXCEPTIONS = 32,
};

/* Invariant: the sections are inside the file. */
struct gpu_coredump {
	struct elf_sections sections;
	struct byte_span strings; /* names of devices and of the generator */
};

/* One row: its position and its bytes. */
struct gpu_row {
	uint64_t section;
	uint64_t index; /* in its section */
	uint32_t link;  /* section of the parent's table */
	uint32_t info;  /* the parent's row there */
	struct byte_span bytes;
};

/* A position in a table; zeroed: before the first row. */
struct gpu_cursor {
	uint64_t section;
	uint64_t index;
};

struct gpu_device {
	const char *name;    /* "NVIDIA H200" */
	const char *sm_type; /* "sm_90" */
	uint32_t number;
	uint32_t n_sms;
};

struct gpu_context {
	uint64_t handle; /* CUcontext */
	uint32_t device; /* row */
};

/* A grid; `origin` says who launched it: 0 is the host. */
struct gpu_grid {
	uint64_t id;       /* counts the kernels that the context has run */
	uint64_t context;  /* CUcontext */
	uint64_t function; /* CUfunction */
	uint64_t entry;    /* address of its code */
	uint64_t module;   /* CUmodule */
	uint64_t parent;   /* id of the grid that launched it; 0: the host did */
	uint32_t origin;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3]; /* 0: launched without clusters */
	uint32_t device;     /* row */
	bool has_parameters;
	struct byte_span parameters; /* as passed to the kernel; empty: none, or not in the file */
};

struct gpu_sm {
	uint32_t id;
	uint32_t exception; /* enum gpu_exception */
	bool has_pc;
	uint64_t pc; /* of the exception */
	uint32_t device;
};

struct gpu_block {
	uint64_t grid; /* id */
	uint32_t index[3];
};

struct gpu_warp {
	uint32_t id;
	uint32_t valid_lanes; /* mask */
	uint32_t active_lanes;
	bool is_broken; /* stopped by a trap */
	bool has_pc;
	uint64_t pc; /* of the exception */
};

struct gpu_lane {
	uint32_t id;
	uint32_t exception;
	uint32_t thread[3];
	uint64_t pc; /* of the lane: at or after the fault */
};

struct gpu_meta {
	const char *generator;
	uint32_t driver[2]; /* major, minor */
	uint32_t cuda[2];
	uint32_t time; /* seconds since 1970; 0: the file has none */
};

/*
 * Open a dump. Returns 0; -EBADMSG: not a GPU core dump; -ENODATA: the dump is cut short, and *out
 * has the rest. The bytes belong to the caller and must outlive the dump.
 */
int gpu_coredump_open(struct gpu_coredump *out, const void *bytes, size_t size);

/* True if sections of this type are used here. A reader of a file may skip all others. */
bool gpu_coredump_needs(uint32_t section_type);

/*
 * Step to the next row of that table, across all of its sections; false at the end. A section
 * without rows (images, parameters) is one row. Sections whose rows are too small for the members
 * that this reader knows are skipped.
 */
bool gpu_next(const struct gpu_coredump *dump, enum gpu_table table, struct gpu_cursor *cursor,
	      struct gpu_row *out);

/* Find the row that `row` refers to by link and info; false unless it is in that table. */
bool gpu_parent(const struct gpu_coredump *dump, const struct gpu_row *row, enum gpu_table table,
		struct gpu_row *out);

/* Decode a row. It must come from gpu_next or gpu_parent with the same table. */
void gpu_read_device(const struct gpu_coredump *dump, const struct gpu_row *row,
		     struct gpu_device *out);
void gpu_read_context(const struct gpu_row *row, struct gpu_context *out);
void gpu_read_grid(const struct gpu_coredump *dump, const struct gpu_row *row,
		   struct gpu_grid *out);
void gpu_read_sm(const struct gpu_row *row, struct gpu_sm *out);
void gpu_read_block(const struct gpu_row *row, struct gpu_block *out);
void gpu_read_warp(const struct gpu_row *row, struct gpu_warp *out);
void gpu_read_lane(const struct gpu_row *row, struct gpu_lane *out);

/* True if the host launched the grid, not a kernel. */
bool gpu_is_host_grid(const struct gpu_grid *grid);

/*
 * True if the grid looks like that of a cooperative launch. The dump shows such a grid as one block
 * or one cluster, whatever its size. (Driver 580.159, launches of 2 to 100 blocks.)
 */
bool gpu_is_cooperative_grid(const struct gpu_grid *grid);

/* Read the dump's metadata; false if the file has none. */
bool gpu_read_meta(const struct gpu_coredump *dump, struct gpu_meta *out);

#endif
