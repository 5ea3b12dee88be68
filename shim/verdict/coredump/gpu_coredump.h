/*
 * gpu_coredump.h - the tables of a GPU core dump as the CUDA driver writes it: an ELF64 core file
 * whose sections are tables of devices, contexts, grids, SMs, blocks, warps and lanes. The bytes
 * are not trusted, nothing is allocated; rows are stepped by the file's own row size, since they
 * grow with the driver. The layout was checked on dumps of driver 580.159 (CUDA 13.0).
 */
#ifndef CULPRIT_VERDICT_GPU_COREDUMP_H
#define CULPRIT_VERDICT_GPU_COREDUMP_H

#include "verdict/coredump/elf_sections.h"

/* Section types of the file less 0x80000000. */
enum gpu_table {
	GPU_TABLE_IMAGE = 7, /* no rows: an ELF file with the code as it was loaded */
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

/* Why a lane, a warp or an SM stopped: a view of gpu_exception_codes.def. */
enum gpu_exception {
	GPU_EXCEPTION_NONE = 0,
#define GPU_EXCEPTION(code, name, result, scope, text) GPU_EXCEPTION_##name = (code),
#include "verdict/coredump/gpu_exception_codes.def"
#undef GPU_EXCEPTION
	GPU_MAX_EXCEPTIONS = 32,
};

/* Invariant: the sections lie inside the file. */
struct gpu_coredump {
	struct elf_sections sections;
	struct byte_span strings; /* names of devices and of the generator */
};

/* One row: where it is, and its bytes. */
struct gpu_row {
	uint64_t section;
	uint64_t index; /* in its section */
	uint32_t link;  /* section of the parent's table */
	uint32_t info;  /* the parent's row there */
	struct byte_span bytes;
};

/* Zeroed: before the first row. */
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

/* Who made a grid, in `origin`; a host launch is 0. */
struct gpu_grid {
	uint64_t id;       /* counts the kernels that the context has run */
	uint64_t context;  /* CUcontext */
	uint64_t function; /* CUfunction */
	uint64_t entry;    /* where its code lies */
	uint64_t module;   /* CUmodule */
	uint64_t parent;   /* id of the grid that launched it, 0: the host did */
	uint32_t origin;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3]; /* 0 where no cluster was asked for */
	uint32_t device;     /* row */
	bool has_parameters;
	struct byte_span parameters; /* as the kernel got them; empty: none, or not in the file */
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
	uint64_t pc; /* where the lane is: at or behind the fault */
};

struct gpu_meta {
	const char *generator;
	uint32_t driver[2]; /* major, minor */
	uint32_t cuda[2];
	uint32_t time; /* seconds since 1970; 0: the file has none */
};

/*
 * 0; -EBADMSG: no GPU core dump; -ENODATA: one that is cut short, of which *out has what is there.
 * The bytes stay the caller's and must outlive the dump.
 */
int gpu_coredump_open(struct gpu_coredump *out, const void *bytes, size_t size);

/* Does anything here look into sections of this type? Who reads a file may leave out the others. */
bool gpu_coredump_needs(uint32_t section_type);

/*
 * Steps to the next row of that table, over all its sections; false at the end. A section without
 * rows of its own (images, parameters) is one row. Sections with rows too small for what this
 * reader knows are passed over.
 */
bool gpu_next(const struct gpu_coredump *dump, enum gpu_table table, struct gpu_cursor *cursor,
	      struct gpu_row *out);

/* The row that a row's link and info name; false unless it is a row of that table. */
bool gpu_parent(const struct gpu_coredump *dump, const struct gpu_row *row, enum gpu_table table,
		struct gpu_row *out);

/* Rows in plain members. The row must come from gpu_next or gpu_parent with the same table. */
void gpu_read_device(const struct gpu_coredump *dump, const struct gpu_row *row,
		     struct gpu_device *out);
void gpu_read_context(const struct gpu_row *row, struct gpu_context *out);
void gpu_read_grid(const struct gpu_coredump *dump, const struct gpu_row *row,
		   struct gpu_grid *out);
void gpu_read_sm(const struct gpu_row *row, struct gpu_sm *out);
void gpu_read_block(const struct gpu_row *row, struct gpu_block *out);
void gpu_read_warp(const struct gpu_row *row, struct gpu_warp *out);
void gpu_read_lane(const struct gpu_row *row, struct gpu_lane *out);

/*
 * Is the grid as that of a cooperative launch is told: as one block, or one cluster, however many
 * it has? (Driver 580.159, launches of 2 to 100 blocks.)
 */
bool gpu_is_cooperative_grid(const struct gpu_grid *grid);

/* False if the file has none. */
bool gpu_read_meta(const struct gpu_coredump *dump, struct gpu_meta *out);

#endif
