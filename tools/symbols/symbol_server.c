/*
 * symbol_server.c - reads the files that bundles name, in a helper process that may hang or crash.
 * Modules stay open. Each is identified by its path, its build-id and the extent of the search for
 * debug information: bundles of one program share them.
 */
#include "symbols/symbol_question.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "symbols/source_lines.h"
#include "symbols/symbol_module.h"

struct opened_module {
	struct opened_module *next;
	struct module_row row;
	bool is_alone;
	struct symbol_module *module;
	char path[];
};

struct server {
	int fd;
	struct opened_module *modules;
	struct generated_notes notes;
	struct source_lines source;
	struct symbol_answer_header answer;
	char *strings; /* answer.size bytes */
};

/* Returns false if the other side has closed the socket. */
static bool receive(int fd, void *bytes, size_t size)
{
	char *at = bytes;
	while (size > 0) {
		ssize_t n = recv(fd, at, size, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool send_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size > 0) {
		ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* NULL: out of memory. */
static struct symbol_module *get_module(struct server *server,
					const struct symbol_question *question, const char *path)
{
	struct opened_module *opened = server->modules;
	while (opened &&
	       (opened->is_alone != question->is_alone || strcmp(opened->path, path) != 0 ||
		!symbol_module_is_same(&opened->row, &question->row)))
		opened = opened->next;
	if (opened)
		return opened->module;
	size_t size = strlen(path) + 1;
	opened = calloc(1, sizeof(*opened) + size);
	if (!opened)
		return NULL;
	memcpy(opened->path, path, size);
	opened->module = symbol_module_open(&question->row, path, question->is_alone);
	opened->row = question->row;
	opened->is_alone = question->is_alone;
	opened->next = server->modules;
	server->modules = opened;
	return opened->module;
}

/* Append the string to the answer. Return true if it is there. */
static bool add_string(struct server *server, const char *string)
{
	size_t length = string ? strnlen(string, SYMBOL_MAX_STRING - 1) : 0;
	if (!string)
		return false;
	char *strings = realloc(server->strings, server->answer.size + length + 1);
	if (!strings)
		return false;
	memcpy(strings + server->answer.size, string, length);
	strings[server->answer.size + length] = '\0';
	server->strings = strings;
	server->answer.size += (uint32_t)length + 1;
	return true;
}

static void add_frame(struct server *server, const struct source_frame *frame)
{
	uint32_t index = server->answer.n++;
	server->answer.frames[index].line = frame->line;
	server->answer.frames[index].column = frame->column;
	server->answer.frames[index].is_inlined = frame->is_inlined;
	server->answer.frames[index].is_tail_call = frame->is_tail_call;
	server->answer.frames[index].has_function = add_string(server, frame->function);
	server->answer.frames[index].has_file = add_string(server, frame->file);
}

static void answer_frames(struct server *server, const struct symbol_question *question,
			  const char *path)
{
	struct symbol_module *module = get_module(server, question, path);
	const char *problem = module ? symbol_module_problem(module) : "out of memory";
	size_t n = 0;
	/*
	 * A call may be the last instruction of its function. The return address is then in the
	 * next function.
	 */
	struct source_frame frames[SYMBOL_MAX_FRAMES];
	if (module && question->offset)
		n = symbol_module_frames(module, question->offset - 1, frames, SYMBOL_MAX_FRAMES);
	if (n)
		n += symbol_module_tail_callers(module, question->offset, frames + n,
						SYMBOL_MAX_FRAMES - n);
	for (size_t index = 0; index < n; index++)
		add_frame(server, &frames[index]);
	if (problem)
		snprintf(server->answer.problem, sizeof(server->answer.problem), "%s", problem);
	server->answer.has_changed = module && symbol_module_has_changed(module);
}

static void answer_notes(struct server *server, const struct symbol_question *question,
			 const char *path)
{
	generated_notes_read(&server->notes, path, question->line);
	for (size_t index = 0; index < server->notes.n; index++)
		add_frame(server, &(struct source_frame){.function = server->notes.texts[index]});
}

static void answer_source(struct server *server, const struct symbol_question *question,
			  const char *path)
{
	source_lines_read(&server->source, path, question->line, question->offset);
	for (size_t index = 0; index < server->source.n; index++)
		add_frame(server,
			  &(struct source_frame){.function = server->source.texts[index],
						 .line = server->source.first + (uint32_t)index});
}

/* Returns false if the other side has closed the socket. */
static bool answer(struct server *server)
{
	char path[SYMBOL_MAX_PATH];
	struct symbol_question question;
	if (!receive(server->fd, &question, sizeof(question)) ||
	    question.path_size > sizeof(path) || !question.path_size ||
	    !receive(server->fd, path, question.path_size))
		return false;
	path[question.path_size - 1] = '\0';
	memset(&server->answer, 0, sizeof(server->answer));
	if (question.kind == SYMBOL_NOTES)
		answer_notes(server, &question, path);
	else if (question.kind == SYMBOL_SOURCE)
		answer_source(server, &question, path);
	else
		answer_frames(server, &question, path);
	return send_all(server->fd, &server->answer, sizeof(server->answer)) &&
	       send_all(server->fd, server->strings, server->answer.size);
}

void symbol_server(int fd)
{
	struct server server = {.fd = fd};
	/* Whoever asked may be killed while a file blocks the helper. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (answer(&server))
		;
	_exit(0);
}
