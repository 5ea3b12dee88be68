/*
 * scenarios.h - the table of hosts: each row is a function that robust_*.bats runs by its name,
 * with what is said about it there. A scenario returns the program's exit status: 0, or 1 after a
 * failure of the GPU that it was to see.
 */
#ifndef CULPRIT_ROBUST_SCENARIOS_H
#define CULPRIT_ROBUST_SCENARIOS_H

#define SCENARIOS(ROW)                                                                             \
	/* afterwards.c */                                                                         \
	ROW(every_call_afterwards, "fails, and makes every call there is")                         \
	ROW(seen_by_a_question, "sees a failure by a call that queues no work")                    \
	ROW(error_texts, "error texts before and after a failure")                                 \
	ROW(event_status, "cuEventCheckError before, at and after a failure")                      \
	ROW(seen_by_sync, "a wait for the stream sees the failure")                                \
	ROW(seen_by_query, "a query of the stream sees it")                                        \
	ROW(seen_by_copy, "a copy without a stream sees it")                                       \
	ROW(seen_by_launch, "a launch on another stream sees it")                                  \
	ROW(seen_by_allocation, "an allocation on another stream sees it")                         \
	ROW(seen_by_context, "a wait for the context sees it")                                     \
	ROW(work_afterwards, "a failure, after which work ends and more comes")                    \
	/* bypass.c */                                                                             \
	ROW(bypass, "fails by a launch that goes to the driver directly, as ROBUST_DOOR says")     \
	ROW(bypass_alone, "the same, and waits for it in that way, too")                           \
	/* checkpoints.c */                                                                        \
	ROW(checkpointed, "checkpoints itself while a thread launches; then fails")                \
	/* contexts.c */                                                                           \
	ROW(green_handle_again, "fails in a green context whose handle is another's by then")      \
	ROW(green_words, "fails in a stream of a green context")                                   \
	ROW(legacy_words, "fails in the legacy stream of a primary context")                       \
	ROW(own_words, "fails in a thread's own default stream")                                   \
	ROW(own_beside_green, "the same, beside a green context that was used first")              \
	ROW(green_ends_primary, "a green context ends the primary one; then fails")                \
	ROW(others_end, "other contexts end, a green one among them; then fails")                  \
	ROW(many_greens, "3,000 green contexts, one after the other; then fails")                  \
	ROW(green_streams, "fails on one of two green contexts' streams")                          \
	ROW(green_events, "fails behind another green context's event")                            \
	ROW(contexts_end_in_use, "300 contexts, destroyed while a thread launches; then fails")    \
	ROW(copy_of_other_context, "copies out of another context; then fails")                    \
	ROW(foreign_stream, "fails on a stream that another device's context was first to use")    \
	ROW(other_device_goes_on, "fails on one device; the other one is at work")                 \
	/* fault_files.c */                                                                        \
	ROW(fault_resets, "200 contexts, one after the other; then fails")                         \
	ROW(fault_children, "looks at its own and a child's descriptors; then fails")              \
	ROW(fault_checkpoint, "looks at its descriptors around a checkpoint; then fails")          \
	ROW(fault_managed_pool, "gets a pool of managed memory as ROBUST_CALL says; then fails")   \
	ROW(fault_numbers_taken, "uses a number that culprit opened for a file; fails")            \
	ROW(fault_ioctls, "calls ioctl in all ways; then fails")                                   \
	/* files.c */                                                                              \
	ROW(fault, "some launches, then a bad one")                                                \
	ROW(fault_among_others, "launches, waits, launches four more, of which one is bad")        \
	ROW(clean, "some launches on four threads")                                                \
	ROW(directory_gone, "removes the bundle's directory, then fails")                          \
	ROW(killed_at_work, "launches, and is killed or leaves without handlers")                  \
	ROW(ends_unfinished, "a bad launch that nobody waits for; ends as ROBUST_END says")        \
	ROW(disturbed, "launches while ROBUST_DISTURBANCE runs, then fails")                       \
	ROW(killed_after_failure, "fails, and is killed before its end")                           \
	ROW(files_truncated, "makes all files of the bundle empty, then fails")                    \
	ROW(close_all, "closes all descriptors, opens files of its own, then fails")               \
	ROW(descriptor_numbers, "prints the numbers that its files get")                           \
	ROW(stderr_reused, "closes stderr; a data file gets its number; then fails")               \
	ROW(stderr_pipe_full, "stderr is a pipe that is full; then fails")                         \
	ROW(stderr_pipe_closed, "stderr is a pipe that nobody reads; then fails")                  \
	/* coroutines.c */                                                                         \
	ROW(launches_in_coroutines, "launches from stacks of its own; then fails")                 \
	/* everything.c */                                                                         \
	ROW(everything, "a little of all there is; then fails")                                    \
	/* exits.c */                                                                              \
	ROW(exit_in_callback, "exit() in a host function")                                         \
	ROW(exit_at_once, "_exit()")                                                               \
	ROW(exit_unknowing, "returns from main after a fault that no call has told of")            \
	ROW(error_in_early_handler, "atexit() before cuInit, and the handler sees the error")      \
	ROW(exit_by_return, "returns from main, without a failure")                                \
	ROW(crash_at_exit, "the same, and a handler registered before cuInit crashes")             \
	ROW(exit_quickly, "quick_exit()")                                                          \
	ROW(abort_at_once, "abort()")                                                              \
	ROW(main_thread_ends, "another thread fails after main has ended")                         \
	ROW(exit_while_launching, "exit() while four threads launch")                              \
	ROW(exit_while_threads_start, "exit() while threads start")                                \
	ROW(terminate_while_launching, "SIGTERM while four threads launch")                        \
	ROW(exit_at_error, "four threads see an error at once and call exit()")                    \
	ROW(error_in_exit_handler, "an exit handler sees the error")                               \
	ROW(exit_in_signal_handler, "exit() in a signal handler")                                  \
	/* first_errors.c */                                                                       \
	ROW(racing_frees, "four threads free at once what a failed kernel keeps busy")             \
	ROW(invented_without_context, "a sticky code once; then wrong releases")                   \
	ROW(invented_in_destroyed_context, "the same in a context that has gone")                  \
	ROW(invented_at_exit, "the same when the driver has shut down")                            \
	ROW(failed_elsewhere, "fails in one context, and sees it from another, sound one")         \
	ROW(fails_again, "fails, goes on in a new context, and fails there")                       \
	ROW(goes_on_afterwards, "fails, goes on in a new context, with wrong releases")            \
	/* first_launches.c */                                                                     \
	ROW(first_launch, "first uses a kernel as ROBUST_FIRST says, and waits")                   \
	ROW(refused, "ends with status 1 after a refused launch")                                  \
	/* goes_on.c */                                                                            \
	ROW(goes_on, "fails, and goes on")                                                         \
	ROW(goes_on_in_threads, "eight threads see the failure at once, and go on")                \
	ROW(goes_on_with_handler, "fails with SIGABRT handled as ROBUST_HANDLER says; goes on")    \
	/* graphs.c */                                                                             \
	ROW(many_graphs, "20,000 graphs, one after the other; then one fails")                     \
	ROW(many_updates, "20,000 updates of a graph; then another one fails")                     \
	ROW(bad_replay, "the fourth replay of a graph fails at its 13th node of 20")               \
	ROW(bad_branch, "a graph of two branches fails in one of them")                            \
	ROW(many_ends, "a graph of six ends, 16 times; then a kernel fails")                       \
	ROW(graph_answers, "what the driver tells of graphs before and after their use")           \
	ROW(too_many_nodes, "graphs of 135,000 nodes; then one fails")                             \
	ROW(captures_in_threads, "eight threads capture at once; then one fails")                  \
	ROW(ends_of_captures, "the end of a capture that is none, while another stream captures")  \
	/* hangs.c */                                                                              \
	ROW(hangs, "work that does not end, in the way of ROBUST_HANG")                            \
	/* interrupted.c */                                                                        \
	ROW(interrupted, "launches from a signal handler; then fails")                             \
	ROW(event_in_handler, "a signal handler records an event; then another stream fails")      \
	/* killed.c */                                                                             \
	ROW(count_launches, "counts launches for ever")                                            \
	ROW(kill_often, "kills count_launches 100 times and reads its bundles")                    \
	/* late.c */                                                                               \
	ROW(asked_while_unloading, "unloads code while a thread launches it; then fails")          \
	ROW(late_launches, "launches kernels whose code has gone; then fails")                     \
	ROW(refused_while_unloading, "the same, of launches that are refused; then fails")         \
	ROW(sync_after_unload, "waits for the context long after it unloaded code; then fails")    \
	/* left.c */                                                                               \
	ROW(calls_left, "jumps out of calls of the driver; then fails")                            \
	ROW(calls_cancelled, "cancels threads in calls of the driver; then fails")                 \
	ROW(launches_beside_copy, "launches while another thread's copy waits; then fails")        \
	ROW(launches_beside_held, "launches while another thread is held in a launch; then fails") \
	/* overtaken.c */                                                                          \
	ROW(ends_beside_launches, "ends what a launch is about to use; then fails")                \
	ROW(late_in_streams, "launches into streams that it has destroyed; then fails")            \
	ROW(ends_beside_left, "ends streams beside a launch left by a jump; then fails")           \
	/* plugins.c */                                                                            \
	ROW(closed_plugin, "launches from a library that is closed; then fails")                   \
	ROW(plugin_closed_unseen,                                                                  \
	    "launches from libraries whose closing goes past culprit; fails")                      \
	ROW(launches_in_loader_callback, "launches in dl_iterate_phdr; then fails")                \
	/* processes.c */                                                                          \
	ROW(fork_after_init, "children of all kinds, then fails")                                  \
	ROW(bare_children, "children that no fork handler knows of")                               \
	ROW(other_children, "spawn, vfork, system; then fails")                                    \
	ROW(fork_before_init, "two children that fail; then fails")                                \
	ROW(daemon_fork, "a daemon that fails")                                                    \
	ROW(fork_same_pid, "a child with its parent's number; then fails")                         \
	ROW(fork_while_launching, "500 children while four threads launch; then fails")            \
	/* ranks.c */                                                                              \
	ROW(ranks, "one rank of a job, the last of which goes wrong as ROBUST_RANK says")          \
	ROW(row_of_waiting_stream, "a stream in the row of one that only waited; then fails")      \
	/* runtimes.c */                                                                           \
	ROW(runtime_texts, "the runtime's error texts, by ROBUST_RUNTIMES; fails in between")      \
	/* restricted.c */                                                                         \
	ROW(restricted, "gives something up as ROBUST_RESTRICTION says; then fails")               \
	/* signals.c */                                                                            \
	ROW(timers, "launches while timers interrupt it all the time; then fails")                 \
	ROW(timers_restarting, "the same with SA_RESTART")                                         \
	/* streams.c */                                                                            \
	ROW(streams_synchronised, "20,000 streams, each synchronised; then fails")                 \
	ROW(streams_by_event, "20,000 streams, each waited for by an event; then fails")           \
	ROW(streams_left_alone, "20,000 streams, destroyed while they work; then fails")           \
	ROW(stream_goes_on, "fails, and then launches on a stream that it destroyed")              \
	ROW(streams_alive, "10,000 streams at once; then fails")                                   \
	ROW(too_many_streams, "17,000 streams at once; then fails")                                \
	ROW(many_contexts, "1,200 contexts, one after the other; then fails")                      \
	ROW(many_events, "20,000 events, recorded anew and destroyed; then fails")                 \
	ROW(late_launch, "launches a kernel whose module has gone")                                \
	ROW(many_modules, "2,000 loads of a module; then fails")                                   \
	ROW(modules_exchanged, "two threads load and unload modules; then fails")                  \
	ROW(many_allocations, "200,000 allocations, 1,000 alive; then fails")                      \
	ROW(many_launches, "2,000,000 launches; then fails")                                       \
	/* stress.c */                                                                             \
	ROW(stress, "16 threads do everything at once; then one fails")                            \
	/* sizes.c */                                                                              \
	ROW(structure_sizes, "structures of several versions of CUDA; then fails")                 \
	/* structures.c */                                                                         \
	ROW(structures, "900 launches with structures; then one fails")                            \
	ROW(structures_killed, "the same; then is killed")                                         \
	/* tables.c */                                                                             \
	ROW(locked_memory, "locks its later mappings; then fails")                                 \
	ROW(new_stacks, "2,000 launches from stacks that never come again; then fails")            \
	ROW(kernels_come_again, "a kernel is loaded and unloaded 20,000 times; then fails")        \
	ROW(kernels_come_and_go, "70,000 kernels of other names come and go; then one fails")      \
	ROW(kernels_stay, "70,000 kernels are loaded at once; then one more fails")                \
	ROW(stacks_come_and_go, "launches from 200,000 different stacks; then one fails")          \
	ROW(threads_come_and_go, "70,000 threads with names of their own; then one fails")         \
	ROW(libraries_come_and_go, "launches from 20,000 copies of a library; then one fails")     \
	/* threads.c */                                                                            \
	ROW(thread_generations, "20,000 short-lived threads; then fails")                          \
	ROW(too_many_threads, "4,200 threads at once, the last one fails")                         \
	ROW(many_threads, "1,000 threads at once; then fails")                                     \
	ROW(copy_that_waits_for_a_launch, "a copy waits for what another thread does; then fails") \
	ROW(launches_at_thread_end, "launches from destructors of threads; then fails")            \
	ROW(small_stacks, "fails in a thread with the smallest stack")                             \
	ROW(cancelled_threads, "launches from threads that are to be cancelled; then fails")       \
	/* unchanged.c */                                                                          \
	ROW(state_unchanged, "looks at its own state around every call")

#define ROW(name, description) int name(void);
SCENARIOS(ROW)
#undef ROW

#endif
