/*
 * report_runtime_frames.c - recognise frames of runtimes and libraries by module, function and
 * file.
 */
#include "report/report_runtime_frames.h"

#include <string.h>

#include "base/short_name.h"
#include "base/text.h"

/* True for frames of Boost.Python between Python and C++, also of the copy in PyCUDA. */
static bool is_boost_python(const char *function)
{
	static const char *const names[] = {"boost::python::", "pycudaboost::"};
	const char *parameters = function + strcspn(function, "(");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *found = strstr(function, names[i]);
		if (found && found < parameters)
			return true;
	}
	return false;
}

/*
 * True for a call of a statically linked runtime: a C name, so without parameters, and without
 * source lines. A user's function of such a name has one or the other. Also true for the templates
 * around such calls in the runtime's header.
 */
static bool is_runtime_call(const struct source_frame *frame)
{
	const char *name = frame->function;
	if (frame->file)
		return strcmp(text_file_name(frame->file), "cuda_runtime.h") == 0;
	return text_has_prefix(name, "cuda") && name[4] >= 'A' && name[4] <= 'Z' &&
	       !strchr(name, '(');
}

bool report_is_runtime_frame(const char *module_path, const struct source_frame *frame)
{
	static const char *const modules[] = {"libculprit.so", "libcuda.so", "libcudart.so",
					      "libc.so", "libpthread.so"};
	/* The third is the prefix of the static runtime's internal functions. */
	static const char *const functions[] = {"cudart::", "__cuda", "libcudart_static_",
						"__device_stub_", "cudaLaunch"};
	const char *function = frame ? frame->function : NULL;
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (text_has_prefix(text_file_name(module_path), modules[i]))
			return true;
	}
	for (size_t i = 0; function && i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (text_has_prefix(function, functions[i]))
			return true;
	}
	return function && (strcmp(function, "_start") == 0 || is_boost_python(function) ||
			    is_runtime_call(frame));
}

bool report_is_runtime_launch(const char *module_path, const struct source_frame *frame)
{
	const char *function = frame->function;
	return text_has_prefix(text_file_name(module_path), "libcudart.so") ||
	       (function &&
		(text_has_prefix(function, "__cuda") || text_has_prefix(function, "cudart::") ||
		 text_has_prefix(function, "libcudart_static_") || is_runtime_call(frame)));
}

bool report_is_interpreter(const char *module_path)
{
	static const char *const modules[] = {"libpython", "_ctypes.", "libffi.", "_ctypes_"};
	const char *name = text_file_name(module_path);
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (text_has_prefix(name, modules[i]))
			return true;
	}
	/* python, python3, python3.13t, python3.11-dbg; but no python_bindings.so. */
	return text_has_prefix(name, "python") && strchr("0123456789.-", name[strlen("python")]);
}

/* True if the path has a directory whose name begins with "cuda" and, below it, "include". */
static bool is_in_toolkit(const char *path)
{
	const char *toolkit = strstr(path, "/cuda");
	const char *include = toolkit ? strstr(toolkit + 1, "/include/") : NULL;
	return include != NULL;
}

bool report_is_library_header(const struct source_frame *frame)
{
	static const char *const roots[] = {"/usr/include/", "/usr/local/include/"};
	static const char *const folders[] = {
		"/include/c++/",   "/include/thrust/",  "/include/cub/",        "/include/cuda/",
		"/include/cccl/",  "/include/cutlass/", "/include/cute/",       "/include/kokkos/",
		"/thrust/thrust/", "/cub/cub/",         "/libcudacxx/include/",
	};
	const char *file = frame ? frame->file : NULL;
	if (!file)
		return false;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (text_has_prefix(file, roots[i]))
			return true;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strstr(file, folders[i]))
			return true;
	return is_in_toolkit(file) || text_has_prefix(text_file_name(file), "Kokkos_");
}

/* Write the last part of a C++ name: "scatter" for "void app::scatter<int>(int *)". */
static void write_last_part(const char *name, char out[REPORT_STUB_NAME])
{
	struct text text = text_in(out, REPORT_STUB_NAME);
	short_name_add(name, &text);
	for (const char *colon = strstr(out, "::"); colon; colon = strstr(out, "::"))
		memmove(out, colon + 2, strlen(colon + 2) + 1);
}

/* "__device_stub__Z7scatterPi(int*)": the rest is the kernel's mangled name. */
static bool read_stub(const struct symbol_source *symbols, const char *function,
		      struct stub_walk *out)
{
	enum { MANGLED_SIZE = 2048 };
	static const char prefix[] = "__device_stub_";
	char mangled[MANGLED_SIZE];
	if (!text_has_prefix(function, prefix))
		return false;
	struct text text = text_in(mangled, sizeof(mangled));
	const char *rest = function + strlen(prefix);
	text_add_foreign(&text, rest, strcspn(rest, "( "));
	const char *name =
		symbols && symbols->demangle ? symbols->demangle(symbols->state, mangled) : NULL;
	write_last_part(name ? name : mangled, out->kernel);
	return true;
}

/* "__wrapper__device_stub_fill<float>(float*&)": templates have one more function in between. */
static bool read_wrapper(const char *function, struct stub_walk *out)
{
	static const char prefix[] = "__wrapper__device_stub_";
	char name[REPORT_STUB_NAME];
	write_last_part(function, name);
	if (!text_has_prefix(name, prefix))
		return false;
	memcpy(out->kernel, name + strlen(prefix), strlen(name + strlen(prefix)) + 1);
	return true;
}

/* The file that nvcc puts stubs into. */
static bool is_of_stub_file(const struct source_frame *frame)
{
	static const char suffix[] = ".cudafe1.stub.c";
	size_t length = frame->file ? strlen(frame->file) : 0;
	return length >= strlen(suffix) && !strcmp(frame->file + length - strlen(suffix), suffix);
}

bool report_is_generated(struct stub_walk *walk, const struct symbol_source *symbols,
			 const struct source_frame *frame)
{
	char name[REPORT_STUB_NAME] = "";
	const char *function = frame ? frame->function : NULL;
	if (function && (read_stub(symbols, function, walk) || read_wrapper(function, walk)))
		return true;
	if (function)
		write_last_part(function, name);
	bool is_kernels = *name && !strcmp(name, walk->kernel);
	walk->kernel[0] = '\0';
	return is_kernels || (frame && is_of_stub_file(frame));
}
