/*
 * attribution.h - from a bundle with a failure to a verdict: which submission caused the failure,
 * how sure that is, and by which evidence. Pure: it reads the view, writes the verdict and uses the
 * caller's scratch.
 */
#ifndef CULPRIT_ATTRIBUTION_ATTRIBUTION_H
#define CULPRIT_ATTRIBUTION_ATTRIBUTION_H

#include <stddef.h>

#include "attribution/attribution_facts.h"
#include "attribution/verdict.h"
#include "view/bundle_view.h"

/*
 * The rules, and why each is sound. "Finished", "unfinished", "started" and "over" describe the
 * moment of the failure. Work that is over has finished or failed. docs/glossary.md has the other
 * terms; the recorder is the code in shim/record/.
 *
 *  1. The culprit was running, so it is unfinished. A successful sync, or a marker that has landed,
 *     proves work of its stream finished: both happen after the work that they stand for. After a
 *     culprit, nothing of its stream starts, even if the culprit is over (rule 11d).
 *  2. If work after an event wait, or after the legacy barrier, has finished, the work that was
 *     waited for has finished too.
 *  3. A submission later than what rules 1 and 2 prove finished is unfinished if its call succeeded
 *     or has not returned. It also is if its call waits for its own work and returned this very
 *     error. A call that started after the failure was seen cannot have caused the failure.
 *  4. Some codes are raised by kernels only (failures.def). Work that cannot raise the code is
 *     cleared. The rule assumes nothing about unknown codes and unknown kinds of work.
 *  5. An inline marker lies in its stream between a submission and the next one. While it has not
 *     landed, nothing after it has started. Programmatic launches (RECORD_OVERLAPS) directly after
 *     it are excepted, because they are made to start early. A launch whose record is lost may be
 *     programmatic.
 *  6. Another stream writes a side marker, which may land late: its absence proves nothing. It
 *     clears no suspect, and no node of a graph. It ranks: ordered suspects that an inline marker
 *     in its place would clear by rules 5 and 7 come after the others.
 *  7. An event wait is not passed while its event comes after a marker that has not landed, or
 *     after a wait that is not passed. Work after such a wait has not started. The legacy barrier
 *     acts as an event wait between calls of one thread. It does not between threads: the order in
 *     which two threads entered the driver is not known. Some waits are ignored: those of a stream
 *     for its own event, those whose call has not returned success, and those for work that its
 *     stream has not counted yet.
 *  8. Some work in the journal has no known stream, or no known order on it (RECORD_UNORDERED). The
 *     record of some is lost before its call noted an ordinal (file_header.owed). While such work
 *     may have started and may raise the code, the verdict is neither EXACT nor LIKELY. It is part
 *     of no barrier (rule 7). While it is unfinished and has an ordinal, its stream's ordinals do
 *     not show which launches follow a marker directly: rule 5 then excepts all work up to the
 *     stream's last programmatic launch. For LIKELY, the journal must have all unfinished work of
 *     such a stream. Unordered work of a known stream is among the suspects, except in four cases:
 *     - It is a copy, its call waits for the copy, and the call has returned success.
 *     - Work that its stream was given after its call has finished. Its own ordinal is then the
 *       first one of that work.
 *     - It cannot have started. It comes after what its stream had been given when its call entered
 *       the driver, and rule 5, 7 or 11 holds that earlier work back, or the counters say that its
 *       newest part is not over. Nothing is held back if it is a programmatic launch, or if its
 *       stream has one after a missing marker (unordered.h). The marker of that newest part counts
 *       for nothing: another thread may write it after the unordered work.
 *     - Rule 13 clears it.
 *     Rules 15 and 16 clear no unordered work. Unordered work that they name comes first. Other
 *     unordered work comes after ordered work that is as suspect.
 *  9. EXACT needs a single suspect by rules 1-5, 7, 8 and 11-13. The journal must have every
 *     unfinished submission of every stream, and nothing may be unplaced or unseen (failure_flags).
 *     For LIKELY, only unfinished submissions that may have started need to be there.
 *     The process must not have been checkpointed, and must not have called an unknown launch
 *     function (FAILURE_UNKNOWN_LAUNCH). If MPS shares the GPU, another process may have failed,
 *     and if FAILURE_STREAMS_LOST is set, some work has no record: the verdict is not even LIKELY.
 *     If culprit's own checks ran, an illegal address or a launch failure may be theirs: not EXACT.
 *     A copy or memset whose own call returned the error is not EXACT: the driver may have rejected
 *     it for an error that it had already.
 *
 * 10. A GPU core dump of this process names the kernel that faulted, with its parameters and
 *     dimensions. coredump_join.h has the details.
 * 10a. A submission that differs from the dump is cleared. If a kernel of the driver's own faulted,
 *     the addresses among its parameters name the copy or memset that it does.
 * 10b. While the driver writes a dump, it may report success for unfinished work, and let work
 *     after the fault run. Rules 1 and 2 then prove nothing, and rule 9 does not give EXACT.
 * 10c. EXACT needs all of these instead:
 *     - A single grid has warps that faulted, by exceptions of warps that lead to this very code.
 *       The dump shows no fault of a warp that has exited.
 *     - A single submission in the journal can be that grid. Rules 3, 5 and 7 clear others.
 *       Unordered work is cleared by the third case of rule 8 alone. Syncs that the recorder
 *       checked against the dump (FAILURE_SYNCS_WATCHED) clear others, too, if the dump still shows
 *       every warp that faulted. Copies without a known order or stream whose calls waited for them
 *       are cleared then.
 *     - The function handle, context, dimensions and parameter bytes are the same, or the addresses
 *       are.
 *     - The journal lacks no submission, and knows the stream and the order of each that can have
 *       failed. There is no sign of unseen work (rule 14), and the process was not checkpointed.
 * 10d. A dump whose exceptions lead to other codes is not of this failure, and is not used. A dump
 *     that fits no submission allows NARROWED at most.
 * 10e. If dumps are on and none can be used (FAILURE_COREDUMPS), every submission in the journal
 *     that can raise the code is a suspect. Submissions that seem unfinished come first. If work
 * may have no record, or another process may have failed (rule 9), the verdict is NARROWED at most,
 *     unless a dump that names a grid or code fits a single submission: then it may be LIKELY.
 *
 * 11. The driver's progress counters (base/journal_progress.h) say of a single submission that it
 *     had not started, had started, was running or was over. A copy on the device is a kernel, too,
 *     whose own counter says whether it runs. Two facts turn this into proofs about other work:
 *     - Work of a stream starts when all work before it has finished and what it waits for has
 *       happened. Programmatic launches are excepted.
 *     - Channels take in order what streams give them.
 * 11a. Work that had not started is cleared (but see 11e), and so is all work after it on its
 *     stream.
 * 11b. If work had started, all work before it on its stream has finished. A programmatic launch,
 *     or a call that was not accepted, proves less: only work before the last accepted submission
 *     that is not programmatic has finished. From that submission on, work that is over by its own
 *     counter without a fault has finished, too, up to the first other one. Work that had started
 *     also shows that the waits before it are passed, so rule 2 holds for it.
 * 11c. A running kernel, or work that had not started, holds a stream back like an inline marker
 *     that has not landed (rules 5 and 7).
 * 11d. A kernel that faulted may be over by its counter. So this clears a kernel only if its stream
 *     went on.
 * 11e. A call for other work than a kernel may queue several pieces, and a graph has several roots.
 *     The journal notes the number of one piece: while that one has not started, others may have.
 *     So the number clears the work after the call, not the call's own work.
 * 11f. Counters say nothing about submissions without a number, nor about calls that failed or have
 *     not returned. They say nothing about a number too far ahead of its counter to be in a queue.
 *     Only the order of their stream bounds such submissions.
 * 11g. All counters are left out, as if there were none, in each of these cases:
 *     - The recorder refused one channel.
 *     - Core dumps are on, a core dump is used, or the process was checkpointed before.
 *     - The counters contradict each other, the order of a stream, a sync or a marker, or they need
 *       an event that cannot have happened.
 *     - They leave no work that can have failed, neither in the journal nor among lost records.
 *     - They leave one suspect without showing that it was running, and all else leaves one
 *       suspect, too.
 * 11h. A channel that is not trusted is not believed: its counter was not right often enough in
 *     this process about numbers that it cannot know (progress/trusted_channels.h). The moment of
 *     the failure may be the last such check, if the counter has reached what a sync or a marker
 *     proves finished. A counter that never moved does not pass it.
 * 11i. A counter that is trusted by that last check may be ahead by a few. Work so near to it has
 *     started only if the work's own counter says so, too.
 * 11j. A counter that was right fewer than BELIEF_OF_ONE times may be ahead by one. Alone, it does
 *     not clear the work before the newest submission that it shows.
 * 11k. With counters, EXACT needs what rule 9 says, and needs no markers. If the counters cleared
 *     the others, they must show that the culprit had started. Counters that are stuck may show
 *     that a stream had started nothing more, and nothing else need contradict them.
 * 11l. A suspect that is over is not EXACT by counters: if they are ahead, it is what they leave.
 * 11m. If the counters leave one suspect and it had not started, they show no work running,
 *     although some was. They then clear no kernel that its stream was to start next. The suspect
 *     is LIKELY only if there is no such kernel.
 *
 * 12. Only __assertfail ends in CUDA_ERROR_ASSERT. A kernel whose machine code never reaches it
 *     cannot raise that code. The caller that states this (struct attribution_facts) has read all
 *     code that the kernel can reach, and knows that this very code was loaded. The rule is left
 *     out if it leaves no work that can have failed, and where rule 10 decides.
 * 12a. The same clears nodes within a graph, unless it clears all of them.
 * 13. This rule is for a copy or memset of one row of bytes, a write of one value to memory, and a
 *     wait for one there. It cannot have raised an illegal address, or a launch failure (719), if
 *     its memory lies in allocations:
 *     - that belong to the work's own context,
 *     - that were made before it by cuMemAlloc or a call for pinned host memory, and
 *     - that no thread had started to free at the moment.
 *     If one side of a copy is pageable memory, which the device cannot reach, only the other side
 *     counts (progress/in_bounds.h). The rule is left out where rule 12 is.
 *
 * 14. Work that is in no journal can have failed, too. If there is a sign of such work
 *     (FAILURE_WORK_UNSEEN), the verdict is neither EXACT nor LIKELY, nor is_complete. The signs:
 *     - A module's data, or else the heap, has the address of a driver function (FAILURE_BYPASSED).
 *       The linker, dlsym and cuGetProcAddress give out culprit's address instead. So the program
 *       got the driver's address in a way that goes past culprit, and its calls are in no journal.
 *     - The driver's notes of a stream do not fit what was recorded. Its newest submission is
 *       another one, a kernel came between two recorded launches, or a stream that was given no
 *       recorded work ran a kernel (record/progress/progress_unseen.h). The driver's notes change
 *       with every submission, whatever way it came.
 *     - Rule 11, 12 or 13 clears all that was recorded (is_all_cleared). These are proofs, and some
 *       work has failed. So either one of them is wrong, or the culprit was not recorded. Neither
 *       is known, so the suspects are named as without these rules.
 *     Unseen calls may also have changed a graph, so its nodes are GRAPH_NARROWED at most.
 *     The sign need not be of the failing moment: unseen work that is over leaves open what else
 *     was not seen. If no sign was found, that proves nothing, and takes nothing from EXACT.
 *
 * 15. When a context fails, the driver reads the state of the GPU's SMs, and the journal keeps a
 *     copy (base/journal_faults.h). An exception of a warp has a program counter: the SM was at an
 *     instruction there. The code of loaded kernels does not overlap, so the warp ran the kernel
 *     whose code contains the program counter. The rule clears work that runs other code:
 *     - a launch, if the address and the size of its kernel's code are known,
 *     - a graph, if that holds for each node that can raise the code (15d), and nothing is unseen
 *       (rule 14),
 *     - copies, memsets, memory operations and host functions: the driver's own kernels are no part
 *       of these extents. Unknown kinds of work are not cleared.
 *     An illegal address (700) may be a copy's memory fault, which leaves no exception but an event
 *     of nvidia-uvm. So it clears no such work unless these events were read from before the first
 *     submission on. A summary that counts memory faults is one, also if it has no row for them.
 * 15a. All exceptions need a program counter inside known code, and all must be in the journal. If
 *     several kernels have one, each stays suspect.
 * 15b. The rule needs an exception alone. A memory fault beside it may have been the first, and has
 *     no program counter. The failure's code must be one of those in which exceptions end (700, 714
 *     to 718): a trap (719) or an assertion (710) leaves none, so the exception is of other work.
 *     A code address has no context: a CUkernel has one object for several contexts. So the process
 *     must have had one context, besides green ones, from the reading of the SMs' states until the
 *     addresses were read (FAULT_ONE_CONTEXT), and the exceptions must be of it. Earlier contexts
 *     do not matter: after each end of a context the objects are asked for again, and an address
 *     counts only if that was done (CODE_CONFIRMED).
 * 15c. A kernel may launch kernels. So a kernel is cleared only if no code of its image can do so.
 *     A function that is not inlined has code of its own, which is in no kernel's extent: it then
 *     clears nothing. nvcc's copies of such functions are within the kernel's section.
 *     The size of code is that of the code which was loaded. If an image has PTX, the driver may
 *     have compiled that. So the size counts only if the PTX is for a later device, or the image
 *     also has machine code for exactly the device's compute capability, and the driver was not
 *     told to ignore it. It does not count if a part of the image cannot be read, either.
 * 15d. The same clears nodes within a graph.
 * 15e. Where code is, is not documented. fault/code_extents.h says how it is found, and when it is
 *     not believed. Extents that are not certain only rank the suspects.
 * 15f. The rule is left out in each of these cases:
 *     - Core dumps are on, or a core dump is used.
 *     - The GPU is shared by MPS: the state may be that of a neighbour's work.
 *     - Unfinished work is of several contexts.
 *     - It leaves no work that can have failed, or contradicts the progress counters, also if it
 *       leaves one suspect whose stream went on by counters that are too unsure to clear it (11j).
 *       All that the driver said of the fault is then left out, and the report says so.
 *     - A program counter is in code that no suspect runs, and no suspect may launch kernels;
 *       unordered suspects count. The suspects that are left are then only those whose code is not
 *       known. This is reported, too.
 * 15g. A kernel that raised an exception can end as if it had succeeded, while the driver recovers:
 *     its counter moves, and a wait for it returns 0. On an H100 (580.159.04), nothing that was
 *     submitted before ran after such a kernel. Nine of 644 kernels ran that were submitted as soon
 *     as the wait had returned, and none after these. It was never seen if the faulting kernel's
 *     stream alone had work (0 of 1,255; with three streams beside it in 9 of 10 runs that waited),
 *     if the kernel was not the newest of its stream (0 of 319), nor for traps and memory faults.
 *     So finished work may be the culprit if its code has the program counter. If that is in no
 *     code that is known, nor near above the start of any, each kernel and graph may have it. A
 *     program counter does not count that is inside known code at a load whose value an instruction
 *     waits for before the next one that may jump or exit: a warp that waits cannot exit (0 of 80
 *     such failures; with stores, most). Finished work is cleared by any of these:
 *     - Two kernels have finished that follow it on its stream and are not programmatic launches.
 *     - By the counters, its channel has started a submission after it, and another one after that.
 *       Each must have had to wait for the one before: on the same stream, not as a programmatic
 *       launch, or behind a kernel's inline marker, given to the channel after that one's call had
 *       returned. If the journal lacks the work's channel, that of its stream's kernels counts.
 *       A channel on which such a kernel ended has started one more submission at most, 2.4 ms
 *       after the exception or later (13 failures on that H100).
 *     - It had finished too soon, by the GPU's clock (15h).
 *     - Within LATE_MARGIN_NS of its submission, a wait for its stream had returned, or, if it is a
 *       kernel, a call that gave its stream another one that is no programmatic launch. The
 *       thread's next record shows when a call had returned.
 *     - A wait for it has returned, then a wait for a kernel that was submitted after the first
 *       wait, and a kernel that was submitted after the second has finished.
 *     - It is no graph, whose branches are as several streams, and no other stream had work from
 *       its submission until a wait for it had returned. The journal must have all submissions of
 *       other streams that no wait had covered before.
 *     Work that is left is suspect, comes after the unfinished work, and is not EXACT. Where the
 *     fault's evidence is left out (15f), it is not named, and the verdict is NARROWED at most and
 *     not complete. The rule needs exceptions as 15a and 15b do, but not the sizes of code.
 * 15h. A channel's counter has the time at which its newest submission started. Finished work had
 *     finished by then if a submission that had to wait for it, as in 15g, has surely started
 *     there. So had a kernel whose inline marker has landed: markers are read first. By
 *     CLOCK_MONOTONIC the time is at most what any trusted channel of its context says
 *     (channel_row.apart_ns), and the drift since. It must not contradict the start of an
 *     unfinished kernel (17b), nor be before the submission. The work had finished too soon if the
 *     time is less than FOLLOWER_MARGIN_NS after the submission, or LATE_MARGIN_NS if only a marker
 *     or other work than a kernel had to wait: that may go on as soon as the kernel ends. At the
 *     failure the recorder drops a comparison if CLOCK_MONOTONIC has run unevenly since.
 *
 * 16. nvidia-uvm reports the page of each memory fault of this process (base/journal_faults.h).
 * 16a. A copy of one row of bytes, a memset, a memory operation touches no memory but its own. So
 *     it is cleared if its memory is in none of the pages. All reports need to be in the journal,
 *     from before the first submission on. The layout of reports is not the driver's promise, so
 *     the driver's own list of MMU faults has to be there, too, with pages that were all reported.
 * 16b. A kernel can compute any address from its arguments. So pages clear no kernel. They rank
 *     suspects. If the first fault has a page, two kinds of work come first: copies and the like
 *     that touch any page, and kernels with a pointer to the first page, to the memory that was
 *     there, or to memory that ends before it. A fault without a page ranks none.
 * 16c. `data[index]` accesses a pointer plus a multiple of a number. If both are arguments of a
 *     launch, or of a graph's node, and their sum is the address of the fault, that work comes
 *     first. It is LIKELY if that holds for one suspect (GRAPH_LIKELY: one node) alone, and the
 *     address is at least 1 MiB from the memory that the pointer is in: any work can go a little
 *     past the end of its memory. It is never EXACT: another index may have been in memory.
 *     The driver's list has the newest three faults. If it has three and is the only source of
 *     pages, an earlier fault may have been the first: the address only ranks.
 *     Addresses of exceptions are compared in the same way.
 * 16d. Rule 15f holds here, too. If there is also an exception, the pages are not used.
 *
 * 17. nvidia-uvm also reports when the GPU noticed a faulting access. A channel's counter has
 *     the time at which its newest submission started, by the same clock. Work that started
 *     after the fault was noticed did not make the access, so it is cleared.
 * 17a. The fault's time is that of the first report of an access that was given up, by page and
 *     kind of access. The GPU may try an access again, and reports prefetches, which do not
 *     fail. If several accesses failed, the first one is the cause: the work that made it had
 *     started before.
 * 17b. Only a kernel is cleared, and only with counters (rule 11g). Its number must be the
 *     channel's newest, and the number before it must be that of other work, or of a marker of
 *     its stream. Other calls, and some launches, give the GPU several submissions: the time is
 *     then that of the last, and an earlier one may have failed. In 3 of 112 failures on an H100,
 *     the time of a graph that failed was after the fault.
 * 17c. A start up to FAULT_TIME_MARGIN_NS after the fault clears nothing.
 * 17d. A fault of managed memory is reported, too, and then served. So a page may have a report
 *     from before it was freed. The same holds for host memory that the GPU can use (HMM, ATS).
 *     The rule is left out if the process had managed memory, if a device can use host memory
 *     that is not CUDA's, or if any report is not within a millisecond of the fault.
 * 17e. It is left out, too, if the failure's code is not that of a memory fault (700), if the
 *     driver's list does not confirm the pages (16a), if there is also an exception, or if the GPU
 *     is shared by MPS. Rule 15f holds.
 * 17f. The reports' times must be of the counters' clock. The CPU's times bound the distance
 *     between the two clocks: a kernel starts after its call, and a report is read after the GPU
 *     made it. The rule is left out if the bounds contradict each other, or are a second apart.
 *
 * EXACT also rests on two promises of the recorder: ordinals are the driver's order of a stream,
 * and no work after a fault is let run. A driver that swallows errors breaks rule 1.
 */

/* Return the scratch that attribute() needs at most for this view, in bytes. */
size_t attribution_scratch(const struct bundle_view *view);

/*
 * Fill *out. Returns 0, or -ENOMEM if `scratch` is not aligned to 8 or `scratch_size` is below
 * attribution_scratch(view). A live journal may get new records between the two calls. A bundle
 * that contradicts itself gives VERDICT_UNKNOWN, never a fault. Any thread.
 */
int attribute(const struct bundle_view *view, void *scratch, size_t scratch_size,
	      struct verdict *out);

/* Do as attribute(), with facts from outside the bundle, for which the caller answers. */
int attribute_with_facts(const struct bundle_view *view, const struct attribution_facts *facts,
			 void *scratch, size_t scratch_size, struct verdict *out);

/* Do as attribute(), with what a GPU core dump says; NULL if there is none. */
int attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
			    void *scratch, size_t scratch_size, struct verdict *out);

#endif
