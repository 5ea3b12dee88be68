/*
 * kernel_modules.c - open, register an address space, ask. Layouts: as in NVIDIA's open modules.
 */
#include "failure/kernel_modules.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "settings.h"

enum { N_QUERIES = 2, ANSWER_SIZE = 4824, FIRST_AT = 4820, SMS_PER_CALL = 100 };
enum { CONTROL_REQUEST = (int)0xc020462a, READ_SM_STATES = (int)0x83de030c };

static int control_fd = -1; /* written once, by kernel_modules_open() */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next */
static int n_queries_left;                               /* after the newest fault */

/* Two files of nvidia-uvm: the driver has one more, without an address space. */
void kernel_modules_open(void)
{
	if (!simkernel_raise)
		return;
	(void)open("/dev/nvidia-uvm", O_RDWR | O_CLOEXEC);
	int uvm = open("/dev/nvidia-uvm", O_RDWR | O_CLOEXEC);
	(void)ioctl(uvm, SIMKERNEL_REGISTER_VA_SPACE, NULL);
	control_fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);
}

void kernel_modules_raise(const struct simkernel_fault *fault)
{
	if (control_fd < 0)
		return;
	simkernel_raise(fault);
	pthread_mutex_lock(&lock);
	n_queries_left = N_QUERIES;
	pthread_mutex_unlock(&lock);
}

static void ask_from(uint32_t first)
{
	_Alignas(8) unsigned char answer[ANSWER_SIZE + 8] = {0};
	struct {
		uint32_t client, object, command, flags;
		uint64_t parameters;
		uint32_t size, status;
	} control = {.client = 0xc1d00001,
		     .object = 0x5c000003,
		     .command = (uint32_t)READ_SM_STATES,
		     .parameters = (uintptr_t)answer,
		     .size = ANSWER_SIZE + (settings.has_other_states ? 8 : 0)};
	memcpy(answer + FIRST_AT, &first, sizeof(first));
	(void)ioctl(control_fd, (unsigned long)(uint32_t)CONTROL_REQUEST, &control);
}

void kernel_modules_ask(void)
{
	if (control_fd < 0)
		return;
	pthread_mutex_lock(&lock);
	if (n_queries_left > 0) {
		n_queries_left--;
		ask_from(0);
		ask_from(SMS_PER_CALL);
	}
	pthread_mutex_unlock(&lock);
}
