/*
 * kernel_names.c - answer a process's question about a kernel, while its launch waits.
 */
#include "print/print_parts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/demangled_names.h"

bool kernel_names_match(const regex_t *kernels, const char *compiled, const char *readable)
{
	return !regexec(kernels, compiled, 0, NULL, 0) ||
	       (readable && !regexec(kernels, readable, 0, NULL, 0));
}

/* Map the file of answers. Return NULL if the process has no such file, or is still creating it. */
static struct kernel_choices *map_choices(int memory_fd)
{
	struct kernel_choices *choices = NULL;
	int fd = openat(memory_fd, KERNEL_CHOICES_NAME,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	struct stat status;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    status.st_size >= (off_t)sizeof(*choices))
		choices = mmap(NULL, sizeof(*choices), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return choices == MAP_FAILED ? NULL : choices;
}

static void find_names(struct asked_names *asked, int memory_fd)
{
	static const enum journal_file kinds[N_ASKED_TABLES] = {JOURNAL_STRINGS, JOURNAL_FUNCTIONS};
	for (size_t i = 0; i < N_ASKED_TABLES; i++) {
		const char *name = journal_file_names[kinds[i]];
		struct mapped_file *file = &asked->tables[i];
		if (file->base || !mapped_file_open(memory_fd, name, file))
			(void)mapped_file_view(file, memory_fd, name, &asked->view);
	}
}

/* Return the row's ID with the answer; 0 if the kernel's name is not known (yet). */
static uint32_t find_answer(const struct bundle_view *view, uint32_t id, const regex_t *kernels)
{
	static struct demangled_names names; /* used by the reader's thread only */
	const struct function_row *row = view_function(view, id);
	size_t length = 0;
	const char *name = row ? view_string(view, row->name, &length) : "";
	/* Check the row again: it may have been reused for another kernel meanwhile. */
	if (length == 0 || !view_function(view, id))
		return 0;
	return kernel_names_match(kernels, name, demangled_names_find(&names, name))
		       ? id | KERNEL_CHOSEN
		       : id;
}

static void answer_all(struct asked_names *asked, const regex_t *kernels, uint32_t *answers)
{
	const struct view_rows *rows = &asked->view.tables[JOURNAL_FUNCTIONS];
	for (uint32_t place = 1; place <= rows->n_rows && place <= ROW_ID_MAX; place++) {
		uint32_t *answer = &answers[place];
		uint32_t id = view_id_at(&asked->view, JOURNAL_FUNCTIONS, place);
		uint32_t known = __atomic_load_n(answer, __ATOMIC_RELAXED) & ~KERNEL_CHOSEN;
		if (!id || known == id)
			continue;
		known = find_answer(&asked->view, id, kernels);
		if (known) /* pairs with the acquire in has_answer() of the library */
			__atomic_store_n(answer, known, __ATOMIC_RELEASE);
	}
}

void kernel_names_answer(struct printed_process *process,
			 const regex_t *const kernels[N_KERNEL_CHOICES])
{
	struct asked_names *asked = &process->asked;
	if (!kernels[KERNEL_CHOICE_INSPECT] && !kernels[KERNEL_CHOICE_NAN])
		return;
	if (!asked->choices)
		asked->choices = map_choices(process->fd);
	if (!asked->choices)
		return;
	find_names(asked, process->fd);
	for (int i = 0; i < N_KERNEL_CHOICES; i++)
		if (kernels[i])
			answer_all(asked, kernels[i], asked->choices->answers[i]);
}
