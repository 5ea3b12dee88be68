/*
 * cupti.c - a profiler that the driver loads ($CUDA_INJECTION64_PATH). It subscribes to CUPTI's
 * callbacks about driver calls, and prints at the end whether any came. CUPTI's functions are
 * looked up in $CUPTI_LIBRARY, so that this builds without its headers.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These declarations are those of cupti_callbacks.h. */
enum { CUPTI_CB_DOMAIN_DRIVER_API = 1 };
typedef void callback(void *user_data, int domain, uint32_t id, const void *data);
typedef int subscribe(void **out_subscriber, callback *called, void *user_data);
typedef int enable_domain(uint32_t enable, void *subscriber, int domain);

__attribute__((visibility("default"))) int InitializeInjection(void);

static atomic_uint n_callbacks;

static void count(void *user_data, int domain, uint32_t id, const void *data)
{
	(void)user_data, (void)domain, (void)id, (void)data;
	atomic_fetch_add(&n_callbacks, 1);
}

static void tell(void)
{
	printf("cupti: %s\n", atomic_load(&n_callbacks) ? "called back" : "no callback");
}

/* Returns 1 on success, as the driver requires. */
int InitializeInjection(void)
{
	void *cupti = dlopen(getenv("CUPTI_LIBRARY"), RTLD_NOW), *subscriber = NULL;
	subscribe *cupti_subscribe = NULL;
	enable_domain *cupti_enable = NULL;

	if (!cupti) {
		printf("cupti: %s\n", dlerror());
		return 0;
	}
	memcpy(&cupti_subscribe, &(void *){dlsym(cupti, "cuptiSubscribe")}, sizeof(void *));
	memcpy(&cupti_enable, &(void *){dlsym(cupti, "cuptiEnableDomain")}, sizeof(void *));
	if (!cupti_subscribe || !cupti_enable)
		return 0;
	printf("cupti: subscribed %d\n", cupti_subscribe(&subscriber, count, NULL));
	printf("cupti: enabled %d\n", cupti_enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API));
	atexit(tell);
	return 1;
}
