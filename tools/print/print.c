/*
 * print.c - the printing process. If a journal is truncated while it is mapped, SIGBUS ends only
 * this process.
 */
#include "print/print.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/message.h"
#include "print/print_parts.h"
#include "print/print_reader.h"

enum { BATCH = 256, LINE_SIZE = 16 * 1024, OUTPUT_BUFFER = 64 * 1024 };

struct print_regexes {
	regex_t printed, inspected, nan;
};

static int open_target(const char *target, FILE **out)
{
	bool is_number = target && *target && !target[strspn(target, "0123456789")];
	int fd = !target ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
		 : is_number
			 ? fcntl((int)strtol(target, NULL, 10), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
			 : open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	*out = fd < 0 ? NULL : fdopen(fd, "w");
	if (*out) {
		(void)setvbuf(*out, NULL, _IOFBF, OUTPUT_BUFFER);
		return 0;
	}
	message("--print-to %s: %s", target ? target : "standard error", strerror(errno));
	return -EINVAL;
}

static int compile(const char *option, const char *kernels, regex_t *out)
{
	int error = regcomp(out, kernels, REG_EXTENDED | REG_NOSUB);
	if (!error)
		return 0;
	char text[256];
	regerror(error, out, text, sizeof(text));
	message("--%s '%s': %s", option, kernels, text);
	return -EINVAL;
}

/* Refresh the tables of each process that has an entry in the batch. */
static void refresh(const struct print_entry *entries, size_t n)
{
	struct printed_process *last = NULL;
	for (size_t i = 0; i < n; i++) {
		if (entries[i].ring->process == last)
			continue;
		last = entries[i].ring->process;
		printed_process_refresh(last);
	}
}

/* Print the new inspections of each process that has an entry in the batch. */
static void inspect(const struct print_entry *entries, size_t n, enum value_type type, FILE *out)
{
	struct printed_process *last = NULL;
	for (size_t i = 0; i < n; i++) {
		if (entries[i].ring->process == last)
			continue;
		last = entries[i].ring->process;
		print_inspections(last, type, false, out);
		print_checks(last, false, out);
	}
}

/* Print until the queue ends. Output that cannot be written is dropped, not retried. */
static void print_all(const struct print_wish *wish, struct print_queue *queue,
		      struct print_choice *choice, FILE *out)
{
	static struct print_entry entries[BATCH];
	static char line[LINE_SIZE];
	size_t n = 0;
	bool is_last = false;
	while ((n = print_queue_take(queue, entries, BATCH, &is_last))) {
		refresh(entries, n);
		choice->batch++;
		for (size_t i = 0; i < n; i++) {
			struct text text = text_in(line, sizeof(line));
			print_line(choice, &entries[i], &text);
			if (text.cut)
				text.at[-1] = '\n';
			if (text.at != line)
				fwrite(line, 1, (size_t)(text.at - line), out);
		}
		if (*wish->inspected)
			inspect(entries, n, wish->type, out);
		if (is_last)
			(void)fflush(out);
	}
}

/* Leave signals such as Ctrl-C to the command; this process exits after it. */
static void ignore_signals(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &ignore, NULL);
}

/* Report submissions that were not printed: their ring was overwritten, or had no shared memory. */
static void report_missed(const struct print_wish *wish, const struct printed_process *first)
{
	for (const struct printed_process *at = first; at; at = at->next) {
		uint64_t n = wish->submitted(wish->state, at->pid);
		if (n > at->n_seen)
			message("--print missed %ju of %ju submissions of process %ld; use a "
				"larger --records",
				(uintmax_t)(n - at->n_seen), (uintmax_t)n, at->pid);
	}
}

/* Print what a process has recorded since its last launch was printed. */
static void print_end_of(struct printed_process *process, const struct print_wish *wish, FILE *out)
{
	if (!*wish->inspected && !*wish->nan)
		return;
	printed_process_refresh(process);
	print_inspections(process, wish->type, true, out);
	print_checks(process, true, out);
	if (*wish->nan)
		print_checks_nan(process, out);
}

_Noreturn static void serve(const struct print_wish *wish, struct print_reader *reader,
			    struct print_choice *choice, FILE *out)
{
	ignore_signals();
	pthread_t thread = 0;
	if (print_queue_open(reader->queue) ||
	    pthread_create(&thread, NULL, print_reader_run, reader))
		_exit(EXIT_FAILURE);
	print_all(wish, reader->queue, choice, out);
	pthread_join(thread, NULL);
	for (struct printed_process *at = reader->processes; at; at = at->next)
		print_end_of(at, wish, out);
	bool is_written = !fflush(out) && !ferror(out);
	report_missed(wish, reader->processes);
	_exit(is_written ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Make a pipe whose ends are above the standard streams, even if those are closed. */
static int open_pipe(int out_fds[2])
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	for (int i = 0; i < 2; i++) {
		out_fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(fds[i]);
	}
	return out_fds[0] < 0 || out_fds[1] < 0 ? -EMFILE : 0;
}

/* Fork the printing process. In the child this does not return. */
static pid_t start(const struct print_wish *wish, const struct print_regexes *kernels, FILE *file,
		   int fds[2])
{
	static struct print_queue queue;
	static struct print_reader reader;
	struct print_choice choice = {.kernels = *wish->kernels ? &kernels->printed : NULL,
				      .inspects = *wish->inspected,
				      .is_silent = wish->is_silent};
	pid_t pid = fork();
	if (pid == 0) {
		close(fds[1]);
		reader = (struct print_reader){.run = wish->run, .end_fd = fds[0], .queue = &queue};
		reader.chosen[KERNEL_CHOICE_INSPECT] =
			*wish->inspected ? &kernels->inspected : NULL;
		reader.chosen[KERNEL_CHOICE_NAN] = *wish->nan ? &kernels->nan : NULL;
		serve(wish, &reader, &choice, file);
	}
	return pid;
}

static int start_with(const struct print_wish *wish, const struct print_regexes *kernels,
		      FILE *file, struct print *out)
{
	int fds[2] = {-1, -1};
	out->pid = open_pipe(fds) ? -1 : start(wish, kernels, file, fds);
	if (out->pid < 0)
		message("--print: %s", strerror(errno));
	close(fds[0]);
	out->end_fd = fds[1];
	return out->pid > 0 ? 0 : -EAGAIN;
}

/* Compile both expressions. An empty one matches everything and is not used. */
static int compile_all(const struct print_wish *wish, struct print_regexes *out)
{
	if (compile("print", wish->kernels, &out->printed))
		return -EINVAL;
	if (compile("inspect", wish->inspected, &out->inspected)) {
		regfree(&out->printed);
		return -EINVAL;
	}
	if (!compile("nan", wish->nan, &out->nan))
		return 0;
	regfree(&out->printed);
	regfree(&out->inspected);
	return -EINVAL;
}

int print_start(const struct print_wish *wish, struct print *out)
{
	*out = (struct print){.end_fd = -1};
	if (!wish)
		return 0;
	struct print_regexes kernels;
	if (compile_all(wish, &kernels))
		return -EINVAL;
	FILE *file = NULL;
	int result = open_target(wish->target, &file);
	if (!result) {
		result = start_with(wish, &kernels, file, out);
		fclose(file);
	}
	regfree(&kernels.printed);
	regfree(&kernels.inspected);
	regfree(&kernels.nan);
	return result;
}

void print_end(struct print *print)
{
	int status = 0;
	if (!print->pid)
		return;
	close(print->end_fd);
	while (waitpid(print->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		message("--print: the printing process was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		message("--print: some output could not be written");
	print->pid = 0;
}
