/*
 * model_names.h - included before everything else in instrumented sources: functions that the
 * checker replaces.
 */
#define memcpy                model_memcpy
#define memmove               model_memmove
#define memset                model_memset
#define memcmp                model_memcmp
#define pthread_mutex_init    model_mutex_init
#define pthread_mutex_lock    model_mutex_lock
#define pthread_mutex_trylock model_mutex_trylock
#define pthread_mutex_unlock  model_mutex_unlock
#define sched_yield           model_sched_yield
#define syscall               model_syscall
