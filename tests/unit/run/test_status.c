/*
 * test_status.c - the whole status of a process, as text and as JSON, in all states of its streams,
 * of its threads and of itself.
 */
#include <errno.h>

#include "base/time_units.h"
#include "run/status_case.h"
#include "status/status_json.h"
#include "status/status_text.h"
#include "support/check.h"
#include "json/json_values.h"

static const char meta[] = "{\"pid\": 7, \"command\": [\"./train\"]}";
static char *printed;
static size_t printed_size;

static const char *print_text(const struct status_case *c)
{
	free(printed);
	FILE *out = open_memstream(&printed, &printed_size);
	CHECK(out);
	CHECK_EQUAL(status_print_text(&c->status, out), 0);
	CHECK_EQUAL(fclose(out), 0);
	return printed;
}

/* Return the JSON with ' instead of ". The stacks, which other tests check, become their sizes. */
static const char *print_json(const struct status_case *c)
{
	static const char *const lists[] = {"streams", "threads"};
	json_t *object = status_to_json(&c->status);
	CHECK(object);
	for (int i = 0; i < 2; i++) {
		json_t *row = NULL;
		size_t index = 0;
		json_array_foreach(json_object_get(object, lists[i]), index, row)
		{
			size_t n = json_array_size(json_object_get(row, "stack"));
			CHECK_EQUAL(json_object_set_new(row, "stack", json_count(n)), 0);
		}
	}
	free(printed);
	printed = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	for (char *at = printed; *at; at++)
		*at = *at == '"' ? '\'' : *at;
	return printed;
}

/* A stream of each kind, each with other members. The first has just started. */
static void add_all_kinds(struct status_case *c)
{
	for (int kind = 0; kind < N_STALL_KINDS; kind++) {
		uint32_t stream = kind % 2 ? c->stream : c->other;
		struct stall *stall =
			status_case_stall(c, stream, (enum stall_kind)kind, 10u << (2 * kind));
		stall->n_behind = (uint64_t)kind;
		stall->newest_sequence = 20 + (uint64_t)kind;
		stall->source = kind % 3 ? c->stream : 0;
		stall->source_sequence = kind == STALL_EVENT ? 3 : 0;
		stall->done_sequence = kind % 2 ? 5 : 0;
		stall->is_proven = kind != STALL_RUNS;
		stall->has_started_ns = kind <= STALL_MAY_RUN;
	}
	c->status.stalls.n_unlisted = 1;
	c->status.stalls.rows[STALL_VALUE].front.stack = 0;
	c->status.stalls.rows[STALL_FUNCTION].front.work = WORK_COPY;
	struct waiting_thread *wait = status_case_wait(c, 90000);
	wait->sequence = 5;
	wait->stream = c->other;
	wait->stack = c->stack;
	status_case_wait(c, 0)->tid = 12;
}

#define SPIN "#8 spin(int*)<<<(2,3,4),(5,6,7)>>>"

static const char alive_text[] =
	"culprit: process 7: 8 streams at work, 2 threads are in calls\n"
	"  7 \"./train\"\n"
	"  stream 0x5000, device 0 (Test GPU): runs " SPIN ", started at most 10 ms ago; it "
	"may have finished\n"
	"    from            train+0x11  <- train+0x22\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, not known to have finished " SPIN ", "
	"submitted 40 ms ago\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        1 submission, the newest #21\n"
	"  stream 0x5000, device 0 (Test GPU): waits for an event of stream 0x0 after "
	"#3, before " SPIN ", submitted 160 ms ago\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        2 submissions, the newest #22\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, waits, by the legacy default "
	"stream's ordering, for work, before " SPIN ", submitted 640 ms ago\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        3 submissions, the newest #23\n"
	"  stream 0x5000, device 0 (Test GPU): is at the host function #8 an unknown "
	"call, submitted 2.5 s ago\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        4 submissions, the newest #24\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, waits for a value in memory, "
	"" SPIN ", submitted 10.2 s ago\n"
	"    after it        5 submissions, the newest #25\n"
	"  stream 0x5000, device 0 (Test GPU): waits for its GPU queue, which has "
	"work, before " SPIN ", submitted 40.9 s ago\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        6 submissions, the newest #26\n"
	"  thread 100 \"main\": in cuStreamSynchronize of #5 on stream 0x5000 for 90.0 "
	"s\n"
	"    from            train+0x11  <- train+0x22\n"
	"  thread 12: in cuStreamSynchronize\n";

static const char alive_json[] =
	"{'culprit':'" CULPRIT_VERSION
	"','format':1,'pid':7,'bundle':'./culprit-train-7','state':'runs',"
	"'time_ns':500000000000,'words':false,'streams':[{'id':2,'label':'stream 0x5000',"
	"'state':'runs','proven':false,'finished':null,'submission':8,'kind':'launch',"
	"'name':'spin(int*)','grid':[2,3,4],'block':[5,6,7],'age_ms':{'low':0,'high':10},"
	"'behind':0,'newest':20,'waits_for':null,'stack':2,'python_stack':[]},{'id':1,"
	"'label':'stream 0x0','state':'may_run','proven':true,'finished':5,"
	"'submission':8,'kind':'launch','name':'spin(int*)','grid':[2,3,4],'block':[5,6,"
	"7],'age_ms':{'low':0,'high':40},'behind':1,'newest':21,'waits_for':{'stream':1,"
	"'submission':null},'stack':2,'python_stack':[]},{'id':2,'label':'stream 0x5000',"
	"'state':'event','proven':true,'finished':null,'submission':8,'kind':'launch',"
	"'name':'spin(int*)','grid':[2,3,4],'block':[5,6,7],'age_ms':{'low':0,"
	"'high':160},'behind':2,'newest':22,'waits_for':{'stream':1,'submission':3},"
	"'stack':2,'python_stack':[]},{'id':1,'label':'stream 0x0','state':'legacy',"
	"'proven':true,'finished':5,'submission':8,'kind':'launch','name':'spin(int*)',"
	"'grid':[2,3,4],'block':[5,6,7],'age_ms':{'low':0,'high':640},'behind':3,"
	"'newest':23,'waits_for':null,'stack':2,'python_stack':[]},{'id':2,"
	"'label':'stream 0x5000','state':'host_func','proven':true,'finished':null,"
	"'submission':8,'kind':'copy','name':'an unknown call','grid':null,'block':null,"
	"'age_ms':{'low':0,'high':2560},'behind':4,'newest':24,'waits_for':{'stream':1,"
	"'submission':null},'stack':2,'python_stack':[]},{'id':1,'label':'stream 0x0',"
	"'state':'value','proven':true,'finished':5,'submission':8,'kind':'launch',"
	"'name':'spin(int*)','grid':[2,3,4],'block':[5,6,7],'age_ms':{'low':0,"
	"'high':10240},'behind':5,'newest':25,'waits_for':{'stream':1,'submission':null},"
	"'stack':0,'python_stack':[]},{'id':2,'label':'stream 0x5000','state':'queue',"
	"'proven':true,'finished':null,'submission':8,'kind':'launch',"
	"'name':'spin(int*)','grid':[2,3,4],'block':[5,6,7],'age_ms':{'low':0,"
	"'high':40960},'behind':6,'newest':26,'waits_for':null,'stack':2,"
	"'python_stack':[]}],'threads':[{'thread':{'tid':100,'name':'main'},"
	"'call':'cuStreamSynchronize','stream':2,'submission':5,'for_ms':90000,'stack':2,"
	"'python_stack':[]},{'thread':{'tid':12,'name':null},"
	"'call':'cuStreamSynchronize','stream':null,'submission':null,'for_ms':0,"
	"'stack':0,'python_stack':[]}],'job':null}";

static const char dead_text[] =
	"culprit: process 7 has exited or is not visible from here: 8 streams had "
	"unfinished work, 2 threads were in calls\n"
	"  7 \"./train\"\n"
	"  stream 0x5000, device 0 (Test GPU): had started " SPIN "; it may have finished\n"
	"    from            train+0x11  <- train+0x22\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, not known to have finished " SPIN "\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        1 submission, the newest #21\n"
	"  stream 0x5000, device 0 (Test GPU): waited for an event of stream 0x0 after "
	"#3, before " SPIN "\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        2 submissions, the newest #22\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, waited, by the legacy default "
	"stream's ordering, for work, before " SPIN "\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        3 submissions, the newest #23\n"
	"  stream 0x5000, device 0 (Test GPU): was at the host function #8 an unknown "
	"call\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        4 submissions, the newest #24\n"
	"  stream 0x0, device 0 (Test GPU): finished #5, waited for a value in memory, "
	"" SPIN "\n"
	"    after it        5 submissions, the newest #25\n"
	"  stream 0x5000, device 0 (Test GPU): waited for its GPU queue, which had "
	"work, before " SPIN "\n"
	"    from            train+0x11  <- train+0x22\n"
	"    after it        6 submissions, the newest #26\n"
	"  thread 100 \"main\": was in cuStreamSynchronize of #5 on stream 0x5000\n"
	"    from            train+0x11  <- train+0x22\n"
	"  thread 12: was in cuStreamSynchronize\n";

static const char dead_json[] =
	"{'culprit':'" CULPRIT_VERSION
	"','format':1,'pid':7,'bundle':'./culprit-train-7','state':'ended',"
	"'time_ns':null,'words':true,'streams':[{'id':2,'label':'stream 0x5000',"
	"'state':'runs','proven':false,'finished':null,'submission':8,'kind':'launch',"
	"'name':'spin(int*)','grid':[2,3,4],'block':[5,6,7],'age_ms':null,'behind':0,"
	"'newest':20,'waits_for':null,'stack':2,'python_stack':[]}],"
	"'threads':[{'thread':{'tid':100,'name':'main'},'call':'cuStreamSynchronize',"
	"'stream':2,'submission':5,'for_ms':null,'stack':2,'python_stack':[]}],"
	"'job':null}";

static void test_all_kinds(void)
{
	struct status_case *c = status_case_begin(meta);
	add_all_kinds(c);
	status_case_view(c);
	CHECK_STRING(print_text(c), alive_text);
	CHECK_STRING(print_json(c), alive_json);
	c->status.is_alive = false;
	c->status.now_ns = 0;
	c->status.stalls.has_counters = true;
	CHECK_STRING(print_text(c), dead_text);
	c->status.stalls.n = 1;
	c->status.n_waits = 1;
	CHECK_STRING(print_json(c), dead_json);
	status_case_end(c);
}

/* Return the first line of the status with these members. */
static const char *headline(struct status_case *c, bool is_alive, uint32_t n_stalls,
			    uint32_t n_waits)
{
	c->status.is_alive = is_alive;
	c->status.stalls.n = n_stalls;
	c->status.n_waits = n_waits;
	print_text(c);
	*strchr(printed, '\n') = '\0';
	return printed + strlen("culprit: process 7");
}

static const char *state(struct status_case *c)
{
	json_t *object = status_to_json(&c->status);
	static char out[16];
	(void)snprintf(out, sizeof(out), "%s", json_string_value(json_object_get(object, "state")));
	json_decref(object);
	return out;
}

/* Each state that the process can be in hides the ones before. */
static void test_states(void)
{
	struct status_case *c = status_case_begin(meta);
	status_case_stall(c, c->stream, STALL_RUNS, 1);
	status_case_wait(c, 1);
	status_case_view(c);
	CHECK_STRING(headline(c, true, 1, 1), ": 1 stream at work, 1 thread is in a call");
	CHECK_STRING(headline(c, true, 0, 0), ": it has no unfinished GPU work");
	CHECK_STRING(state(c), "runs");
	c->status.has_snapshot = false;
	CHECK_STRING(headline(c, true, 0, 0), " does not answer; its progress is known only from "
					      "its API calls: it has no unfinished GPU work");
	CHECK_STRING(state(c), "silent");
	c->status.locked_ns = 1;
	CHECK_STRING(headline(c, true, 0, 0), " is locked for a checkpoint: its calls wait until "
					      "it is unlocked: it has no unfinished GPU work");
	CHECK_STRING(state(c), "locked");
	c->status.is_stopped = true;
	CHECK_STRING(headline(c, true, 0, 0), " is stopped by a signal or a debugger: it has no "
					      "unfinished GPU work");
	CHECK_STRING(state(c), "stopped");
	CHECK_STRING(headline(c, false, 1, 1), " has exited or is not visible from here: 1 stream "
					       "had unfinished work, 1 thread was in a call");
	CHECK_STRING(headline(c, false, 0, 0), " has exited or is not visible from here: it had "
					       "no unfinished GPU work");
	CHECK_STRING(state(c), "ended");
	status_case_end(c);
}

static void test_failed(void)
{
	struct status_case *c = status_case_begin(meta);
	builder_fail(&c->builder, 700, STATUS_TID, "cuCtxSynchronize");
	status_case_view(c);
	c->status.is_stopped = true;
	CHECK_STRING(headline(c, true, 0, 0),
		     " has failed; see culprit report: it has no unfinished GPU work");
	CHECK_STRING(state(c), "failed");
	CHECK_STRING(headline(c, false, 0, 0),
		     " failed, and has ended; see culprit report: it had no unfinished GPU work");
	CHECK_STRING(state(c), "failed");
	status_case_end(c);
}

static const char *age_of(struct status_case *c, uint64_t started_ms, int64_t uncertain_ms)
{
	struct stalls *stalls = &c->status.stalls;
	stalls->n = 0;
	struct stall *stall = status_case_stall(c, c->stream, STALL_RUNS, 400000);
	stalls->has_offset = true;
	stalls->offset_low = -uncertain_ms * (int64_t)NS_PER_MS;
	stall->has_started_ns = true;
	stall->started_gpu_ns = (STATUS_NOW_MS - started_ms) * (uint64_t)NS_PER_MS;
	char *line = strstr(print_text(c), ">>>");
	CHECK(line);
	*strchr(line, '\n') = '\0';
	return line + strlen(">>>");
}

/* How long work has been running, with one digit and without, and by clocks that are apart. */
static void test_ages(void)
{
	struct status_case *c = status_case_begin(meta);
	status_case_view(c);
	CHECK_STRING(age_of(c, 0, 0), ", started 0 ms ago");
	CHECK_STRING(age_of(c, 999, 0), ", started 999 ms ago");
	CHECK_STRING(age_of(c, 1000, 0), ", started 1.0 s ago");
	CHECK_STRING(age_of(c, 99999, 0), ", started 99.9 s ago");
	CHECK_STRING(age_of(c, 100000, 0), ", started 100 s ago");
	CHECK_STRING(age_of(c, 9000, 999), ", started 9.9 s ago");
	CHECK_STRING(age_of(c, 9000, 1000), ", started 10.0 s ago");
	CHECK_STRING(age_of(c, 9000, 1001), ", started at most 10.0 s ago");
	CHECK_STRING(age_of(c, 9000, 500000), ", started at most 400 s ago");
	status_case_end(c);
}

/* A file that cannot be written is an error. */
static void test_full(void)
{
	struct status_case *c = status_case_begin(meta);
	status_case_view(c);
	FILE *full = fopen("/dev/full", "w");
	CHECK(full);
	(void)setvbuf(full, NULL, _IONBF, 0);
	CHECK_EQUAL(status_print_text(&c->status, full), -EIO);
	(void)fclose(full);
	status_case_end(c);
}

int main(void)
{
	test_all_kinds();
	test_states();
	test_failed();
	test_ages();
	test_full();
	free(printed);
	return 0;
}
