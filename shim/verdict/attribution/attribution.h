/*
 * attribution.h - from a bundle with a failure to a verdict: which submission did it, how sure that
 * is, and by which evidence. Pure: reads the view, writes the verdict, uses the caller's scratch.
 */
#ifndef CULPRIT_VERDICT_ATTRIBUTION_H
#define CULPRIT_VERDICT_ATTRIBUTION_H

#include <stddef.h>

#include "verdict/attribution/attribution_facts.h"
#include "verdict/attribution/verdict.h"
#include "verdict/view/bundle_view.h"

/*
 * The rules, and why each is sound. "Finished", "unfinished" and "started" are meant at the moment
 * of the failure.
 *
 *  1. The culprit was running, so it is unfinished. A stream has finished what a successful sync or
 *     a landed marker says: both happen after the work they stand for, and behind a culprit nothing
 *     of its stream begins, even if it ends (rule 11).
 *  2. If work behind an event wait (or behind the legacy barrier) has finished, the work that was
 *     waited for has finished too.
 *  3. Unfinished is every submission above that whose call succeeded or has not returned, and one
 *     whose call waits for its own work and returned this very error. A call that began after the
 *     failure was seen cannot have caused it.
 *  4. Some codes are raised by kernels only (failures.def); work that cannot raise the code is no
 *     suspect. Of unknown codes and kinds of work nothing is assumed.
 *  5. An inline marker lies in its stream between a submission and the next, so while it has not
 *     landed nothing behind it has started. Programmatic launches (RECORD_OVERLAPS) directly behind
 *     it are excepted: they are made to start early.
 *  6. A side marker is written by another stream and may land late: its absence proves nothing. It
 *     narrows LIKELY and NARROWED by rule 5, never EXACT.
 *  7. An event wait is not passed while its event is behind such a marker, or behind a wait that is
 *     not passed. What lies behind it has not started. The legacy barrier acts as an event
 *     wait, but only between calls of one thread: the order in which two threads entered the
 *     driver is not known.
 *  8. While the journal holds work of no known stream or of no known order (RECORD_UNORDERED) that
 *     may have started and may raise the code, nothing is EXACT or LIKELY. That of a known stream
 *     is among the suspects; it is none when its copy has returned that waits for itself, or when
 *     what its stream was given after its call is finished: its ordinal is then the first of these.
 *     Nor where it cannot have started: it is behind what its stream had been given when its call
 *     went to the driver, and that is held back by rules 5, 7 or 11 (unordered.h).
 *  9. EXACT needs one suspect by rules 1-5, 7, 8 and 11-13, every unfinished submission of every
 * stream in the journal, and nothing unplaced or unseen (failure_flags). A copy or memset whose own
 *     call returned the error is not EXACT: the driver may have refused it for an error it had
 *     already.
 *
 * 10. A GPU core dump of this process names the kernel that faulted, with its parameters and
 *     dimensions; what differs is no suspect. A kernel of the driver's names the copy or memset
 *     that it does by the addresses among its parameters. While it writes a dump the driver may
 *     report success for work that has not ended, and let work behind the fault run, so rules 1 and
 *     2 prove nothing then, and rule 9 gives nothing. EXACT instead needs: one grid with warps that
 *     faulted, by exceptions of warps that end in this very code; one submission in all of the
 *     journal that it can be (rules 3 and 5 clear others, and so do syncs that the recorder checked
 *     against the dump, FAILURE_SYNCS_WATCHED, if no warp that faulted has gone); the same function
 *     handle, context, dimensions and parameter bytes, or addresses; no submission missing in the
 *     journal. A dump whose exceptions end in other codes is not of this failure, and not used; one
 *     that fits no submission leaves NARROWED at most. With dumps on and none that can be used
 *     (FAILURE_COREDUMPS), all submissions in the journal are suspect that can raise the code:
 *     those first that seem unfinished. coredump_join.h has the details.
 *
 * 11. The driver's own words (base/journal_progress.h) say of single submissions that they had not
 *     begun, had begun, were running or had ended. Work of a stream begins when all before it
 *     has finished and what it waits for has happened, but for programmatic launches; channels take
 *     what streams give them in order. A copy on the device is a kernel, too, and says so itself
 *     whether it runs. So, as proofs: what had not begun is no suspect, nor is
 *     what lies behind it. What had begun shows finished all that lies before it, if it is no
 *     programmatic launch; else, before the first of these that follow one another. It also shows
 *     that the waits before it are passed, so rule 2 holds for it. A kernel that runs, and work
 *     that had not begun, hold a stream back as an unlanded inline marker does (5, 7). A kernel
 *     that faulted may say that it has ended: none is cleared by that, unless its stream went on.
 *     A call for other work than a kernel may queue several pieces, and graphs have several roots;
 *     the number noted is that of one: while that has not begun, others may have. It clears
 *     what is behind, not the work itself.
 *     Nothing is said of submissions without a number, of calls that failed or have not returned,
 *     and of numbers too far ahead of a word to be in a queue: the order of their stream alone
 *     bounds these. All words are left out, as if there were none, if one channel was refused by
 *     the recorder; while core dumps are on, or one is used; if they contradict each other, the
 *     order of a stream, a sync or a marker, or an event that cannot have happened; or if they
 *     leave nobody who can have failed. Of channels that are not trusted nothing is believed: their
 *     words were not right often enough in this process about numbers that they cannot know. The
 *     moment itself may be the last such check, where the word has come to what is finished by a
 *     sync or a marker; a word that never moved is not (progress/trusted_channels.h). Such a word
 *     may be ahead by a few: what is so near to it has begun where its own word says so, too.
 *     Nor does any word that was right fewer than BELIEF_OF_ONE times clear alone what lies before
 *     the newest that it shows: it may be ahead by one.
 *     With them, EXACT needs what rule 9 says, and has no need of markers; but where it is they
 *     that cleared others, they must tell of the culprit that it had begun: words that stick may
 *     say of a stream that it had begun nothing more, and nothing else need contradict them. Nor is
 *     one that has ended EXACT by them: where words are ahead it is what they left. Where they
 *     leave one alone that had not begun, they show nobody at work, though somebody was: then they
 *     clear no kernel that its stream was to begin next, and it is LIKELY only if there is none.
 *
 * 12. A kernel whose machine code never comes to __assertfail, which alone ends in
 *     CUDA_ERROR_ASSERT, raises none. Who says so (struct attribution_facts) has read all code that
 *     the kernel can come to, and knows that this very code was loaded. Left out if it leaves
 *     nobody who can have failed, and where rule 10 decides.
 * 13. A copy or memset of one row of bytes, a write of one value to memory or a wait for one there,
 *     which lie within memory of its own context that cuMemAlloc or a call for pinned host memory
 *     made before it, and that nobody had begun to give back at the moment, cannot have met an
 *     illegal address. Of a copy from or to pageable memory, which the device cannot come to, the
 *     other side counts alone (progress/contained.h). Left out where rule 12 is.
 *
 * 14. What is in no journal can have failed, too. So nothing is EXACT or LIKELY, nor is_complete,
 * if there is a sign of such work (FAILURE_WORK_UNSEEN):
 *     - A module's data has the address of a driver function (FAILURE_BYPASSED). Everybody who asks
 *       the linker, dlsym or cuGetProcAddress gets culprit's address instead, so the module came by
 *       it in a way that leads past culprit, and its calls are in no journal.
 *     - What the driver notes of a stream does not fit what was recorded: its newest submission is
 *       another one, a kernel came between two recorded launches, or a stream that was given no
 *       recorded work ran a kernel (record/progress/progress_unseen.h). The driver's own notes move
 *       for every submission, by whatever way it came.
 *     - All that was recorded is cleared, by rule 11, 12 or 13 (is_all_cleared). These are proofs,
 *       and somebody has failed: so either one of them is wrong, or the culprit was not recorded.
 *       Without them the suspects are named as before, since neither is known.
 *     The sign need not be of the failing moment: unseen work that is over leaves open what else
 *     was not seen. That no sign was found proves nothing, and takes nothing from EXACT.
 *
 * EXACT also rests on two promises of the recorder: ordinals are the driver's order of a stream,
 * and no work behind a fault is let run (a driver that swallows errors breaks rule 1).
 */

/* Scratch that attribute() needs at most for this view, in bytes. */
size_t attribution_scratch(const struct bundle_view *view);

/*
 * Fills *out. 0, or -ENOMEM: `scratch` is not aligned to 8 or `scratch_size` is below
 * attribution_scratch(view). Records added to a live journal in between are welcome. A bundle that
 * contradicts itself gives VERDICT_UNKNOWN, never a fault. Any thread.
 */
int attribute(const struct bundle_view *view, void *scratch, size_t scratch_size,
	      struct verdict *out);

/* The same with what the caller answers for. */
int attribute_with_facts(const struct bundle_view *view, const struct attribution_facts *facts,
			 void *scratch, size_t scratch_size, struct verdict *out);

/* The same with what a GPU core dump says; NULL: there is none. */
int attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
			    void *scratch, size_t scratch_size, struct verdict *out);

#endif
