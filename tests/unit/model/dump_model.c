/*
 * dump_model.c - few kernels and shapes, so that many launches are alike.
 */
#include "model/dump_model.h"

#include "coredump/gpu_exceptions.h"
#include "model/random_pick.h"

static const char *const names[DUMP_MODEL_FUNCTIONS] = {"scatter", "gather", "scale"};

static uint32_t pick(struct dump_model *dump, uint32_t n)
{
	return random_pick(&dump->random, n);
}

static bool chance(struct dump_model *dump, uint32_t percent)
{
	return pick(dump, 100) < percent;
}

/* The kernel and the shape of a launch, which are known if its record is lost, too. */
static struct record_launch launch_of(const struct dump_model *dump, uint64_t sequence)
{
	uint64_t hash = (sequence + 1) * (dump->model->settings.seed | 1) >> 20;
	return (struct record_launch){.function = 1 + (uint32_t)(hash % DUMP_MODEL_FUNCTIONS),
				      .grid = {1 + (uint32_t)(hash >> 8) % dump->n_shapes, 1, 1},
				      .block = {32, 1, 1}};
}

static void shape_launches(struct dump_model *dump)
{
	const struct bundle_builder *builder = &dump->model->builder;
	for (uint32_t slot = 0; slot < builder->n_rings; slot++) {
		struct journal_record *records =
			(struct journal_record *)(void *)(builder->rings[slot].bytes +
							  sizeof(struct file_header));
		for (uint64_t i = 0; i < builder->ring_capacity; i++)
			if (records[i].commit && records[i].kind == RECORD_SUBMISSION &&
			    records[i].work == WORK_KERNEL)
				records[i].launch = launch_of(dump, records[i].sequence);
	}
}

static void add_place(struct dump_model *dump, const char *name)
{
	struct gpu_fault *fault = &dump->fault;
	fault->locations[fault->n_locations++].code =
		(struct gpu_code){.function = name,
				  .is_kernel = chance(dump, 90),
				  .line = {.directory = "", .file = ""}};
}

static void add_grid(struct dump_model *dump, const char *name, const struct record_launch *launch)
{
	struct gpu_fault *fault = &dump->fault;
	struct gpu_fault_grid *entry = &fault->grids[fault->n_grids++];
	entry->kernel = name;
	entry->grid =
		(struct gpu_grid){.id = 1 + pick(dump, 40),
				  .parent = chance(dump, 3),
				  .context = 0x1001 + (uint64_t)chance(dump, 5),
				  .function = chance(dump, 90) ? 0x2000 + launch->function : 0x9999,
				  .grid = {launch->grid[0], 1, 1},
				  .block = {32, 1, 1}};
}

/* A kernel of a graph may also be launched on its own; that of a copy is the driver's. */
static void add_culprit(struct dump_model *dump)
{
	enum work_kind work = dump->model->culprit_kind;
	struct record_launch launch =
		launch_of(dump, work == WORK_KERNEL ? dump->model->culprit : 1 + pick(dump, 100));
	bool is_drivers = work == WORK_COPY || work == WORK_MEMSET;
	const char *name = work == WORK_MEMSET ? "memset32" : "memcpy128";
	if (is_drivers)
		launch.function = 0x777;
	else
		name = names[launch.function - 1];
	if (chance(dump, 25))
		add_place(dump, name);
	else
		add_grid(dump, name, &launch);
}

static void add_other(struct dump_model *dump)
{
	struct record_launch launch = launch_of(dump, 1 + pick(dump, 100));
	if (chance(dump, 50))
		add_place(dump, names[launch.function - 1]);
	else
		add_grid(dump, names[launch.function - 1], &launch);
}

/* Let streams seem to continue, by markers, and by syncs unless these are watched. */
static void lie(struct dump_model *dump)
{
	struct bundle_builder *builder = &dump->model->builder;
	for (uint32_t s = 0; s < dump->model->n_streams; s++) {
		uint32_t id = dump->model->streams[s].id;
		const struct stream_row *row = builder_stream_row(builder, id);
		uint64_t left = row->submitted > row->marked ? row->submitted - row->marked : 0;
		if (left > 0)
			builder_mark(builder, id, row->marked + pick(dump, (uint32_t)left + 1));
		row = builder_stream_row(builder, id);
		if (!dump->is_watched && row->submitted > row->synced && chance(dump, 50))
			builder_sync(builder, id,
				     row->synced + 1 +
					     pick(dump, (uint32_t)(row->submitted - row->synced)),
				     "cuStreamSynchronize");
	}
}

void dump_model_add(struct gpu_model *model, struct dump_model *out)
{
	*out = (struct dump_model){.model = model, .random = model->settings.seed ^ 0xd0};
	for (int i = 0; i < DUMP_MODEL_FUNCTIONS; i++)
		(void)builder_function(&model->builder, names[i], 0, NULL);
	out->n_shapes = 1 + pick(out, 12);
	out->is_watched = chance(out, 50);
	out->fault.exceptions = 1u << (model->code == 710 ? GPU_EXCEPTION_WARP_ASSERT
							  : GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS);
	shape_launches(out);
	add_culprit(out);
	if (chance(out, 10))
		add_other(out);
	out->fault.is_partial = chance(out, 5);
	if (chance(out, 50))
		lie(out);
	builder_failure_row(&model->builder)->flags =
		(out->is_watched ? FAILURE_SYNCS_WATCHED : FAILURE_COREDUMPS) |
		(chance(out, 5) ? FAILURE_CHECKPOINTED : 0) |
		(chance(out, 5) ? FAILURE_BYPASSED : 0);
}
