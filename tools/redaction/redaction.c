/*
 * redaction.c - mask names of users, hosts and directories in the strings of the journal and in the
 * paths of meta.json and the core dump.
 */
#include "redaction/redaction.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/bundle_meta.h"
#include "bundle/bundle_parts.h"
#include "redaction/redaction_parts.h"

enum { MAX_SECRETS = 16, LEAST_LENGTH = 2 };

struct redaction {
	size_t n;
	char *secrets[MAX_SECRETS]; /* paths and words, longest first */
};

/* Directories whose entries are named after users. */
static const char *const home_folders[] = {"/home/", "/Users/"};

static bool is_word_byte(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

/* True if the byte may be part of a file name. */
static bool is_name_byte(char byte)
{
	return byte && byte != '/' && !isspace((unsigned char)byte) && byte != ':' && byte != '"' &&
	       byte != '\'';
}

static void mask(char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != '/')
			bytes[i] = 'x';
}

static void mask_secret(const char *secret, char *bytes, size_t size)
{
	size_t length = strlen(secret);
	char *at = bytes;
	char *end = bytes + size;
	while (at < end && (at = memmem(at, (size_t)(end - at), secret, length))) {
		bool begins = at == bytes || !is_word_byte(at[-1]) || *secret == '/';
		bool ends = at + length == end || !is_word_byte(at[length]);
		if (begins && ends)
			mask(at, length);
		at += length;
	}
}

static void mask_homes(const char *folder, char *bytes, size_t size)
{
	size_t length = strlen(folder);
	char *at = bytes;
	char *end = bytes + size;
	while (at < end && (at = memmem(at, (size_t)(end - at), folder, length)))
		for (at += length; at < end && is_name_byte(*at); at++)
			*at = 'x';
}

void redaction_mask(const struct redaction *redaction, char *bytes, size_t size)
{
	for (size_t i = 0; i < redaction->n; i++)
		mask_secret(redaction->secrets[i], bytes, size);
	for (size_t i = 0; i < sizeof(home_folders) / sizeof(home_folders[0]); i++)
		mask_homes(home_folders[i], bytes, size);
}

/* Add a secret, longest first, because one may contain another. Return false if out of memory. */
static bool add(struct redaction *redaction, const char *secret)
{
	size_t place = redaction->n;
	if (!secret || strlen(secret) < LEAST_LENGTH || !strcmp(secret, "root") ||
	    !strcmp(secret, "/root") || place == MAX_SECRETS)
		return true;
	char *copy = strdup(secret);
	if (!copy)
		return false;
	for (; place && strlen(redaction->secrets[place - 1]) < strlen(copy); place--)
		redaction->secrets[place] = redaction->secrets[place - 1];
	redaction->secrets[place] = copy;
	redaction->n++;
	return true;
}

/* Add a home directory and its last component. */
static bool add_home(struct redaction *redaction, const char *home)
{
	const char *name = home ? strrchr(home, '/') : NULL;
	return add(redaction, home) && add(redaction, name ? name + 1 : NULL);
}

/* Add the user's name in a path like "/home/name/project". */
static bool add_home_of(struct redaction *redaction, const char *path)
{
	for (size_t i = 0; i < sizeof(home_folders) / sizeof(home_folders[0]); i++) {
		size_t length = strlen(home_folders[i]);
		if (strncmp(path, home_folders[i], length) != 0)
			continue;
		char name[64];
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(path + length, "/"),
			 path + length);
		return add(redaction, name);
	}
	return true;
}

/* Add the name and home of the bundle's owner. */
static bool add_owner(struct redaction *redaction, const char *path)
{
	struct stat status;
	if (lstat(path, &status))
		return true;
	const struct passwd *owner = getpwuid(status.st_uid);
	return !owner || (add(redaction, owner->pw_name) && add_home(redaction, owner->pw_dir));
}

struct redaction *redaction_open(const struct bundle *bundle)
{
	struct redaction *redaction = calloc(1, sizeof(*redaction));
	if (!redaction)
		return NULL;
	if (add(redaction, bundle_meta_text(bundle->meta, "directory")) &&
	    add(redaction, bundle_meta_text(bundle->meta, "hostname")) &&
	    add_home_of(redaction, bundle_meta_text(bundle->meta, "directory")) &&
	    add_home_of(redaction, bundle_meta_text(bundle->meta, "bundle")) &&
	    add_owner(redaction, bundle->path) && add_home(redaction, getenv("HOME")) &&
	    add(redaction, getenv("USER")) && add(redaction, getenv("LOGNAME")))
		return redaction;
	redaction_close(redaction);
	return NULL;
}

void redaction_close(struct redaction *redaction)
{
	if (!redaction)
		return;
	for (size_t i = 0; i < redaction->n; i++)
		free(redaction->secrets[i]);
	free(redaction);
}

/* Shorten a path to its last component, in place. */
static void keep_name(char *path)
{
	size_t length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
	const char *slash = strrchr(path, '/');
	if (slash && slash[1])
		memmove(path, slash + 1, strlen(slash + 1) + 1);
}

static void mask_line(const struct redaction *redaction, struct coredump *coredump,
		      const struct gpu_line *line)
{
	const char *const strings[] = {line->directory, line->file};
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		size_t at = (size_t)(strings[i] - coredump->bytes);
		/* An empty string may be a constant outside the dump. */
		if (*strings[i] && at < coredump->size)
			redaction_mask(redaction, coredump->bytes + at, strlen(strings[i]));
	}
}

/* Mask the names of source files, which point into the dump's bytes in our memory. */
static void mask_coredump(const struct redaction *redaction, struct coredump *coredump)
{
	keep_name(coredump->path);
	redaction_mask(redaction, coredump->path, strlen(coredump->path));
	for (uint32_t i = 0; i < coredump->fault.n_grids + coredump->fault.n_locations; i++) {
		const struct gpu_fault *fault = &coredump->fault;
		const struct gpu_location *place = i < fault->n_grids
							   ? &fault->grids[i].location
							   : &fault->locations[i - fault->n_grids];
		mask_line(redaction, coredump, &place->code.line);
		for (uint32_t k = 0; k < place->code.n_callers; k++)
			mask_line(redaction, coredump, &place->code.callers[k]);
	}
}

/* Mask the journal's strings in place: the bundle owns their bytes. */
static void mask_strings(const struct redaction *redaction, struct bundle *bundle)
{
	const struct view_rows *strings = &bundle->view.tables[JOURNAL_STRINGS];
	if (strings->first)
		redaction_mask(redaction, (char *)(uintptr_t)strings->first,
			       strings->n_rows * strings->row_size);
}

static void mask_in(void *state, char *bytes, size_t size)
{
	redaction_mask(state, bytes, size);
}

static int apply(void *state, struct bundle *bundle)
{
	struct redaction *redaction = state;
	struct analysis_filter filter = redaction_filter(redaction);
	int result = redaction_rows(bundle);
	json_t *meta = bundle->meta ? redaction_meta(&filter, bundle->meta) : NULL;
	if (result || (bundle->meta && !meta)) {
		json_decref(meta);
		return -ENOMEM;
	}
	json_decref(bundle->meta);
	bundle->meta = meta;
	/* The process's own report is plain text, in which private parts cannot be recognised. */
	free(bundle->told);
	bundle->told = NULL;
	bundle->told_size = 0;
	mask_strings(redaction, bundle);
	blocks_mask(bundle->blocks, mask_in, redaction);
	if (bundle->coredump)
		mask_coredump(redaction, bundle->coredump);
	keep_name(bundle->path);
	redaction_mask(redaction, bundle->path, strlen(bundle->path));
	return 0;
}

struct analysis_filter redaction_filter(struct redaction *redaction)
{
	return (struct analysis_filter){.apply = apply, .mask = mask_in, .state = redaction};
}
