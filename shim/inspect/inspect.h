/*
 * inspect.h - looks at what chosen kernels read and write: waits for what is before the launch,
 * copies, launches, waits and copies again. The program runs as if such launches were synchronous.
 *
 * It stands in the driver's table in front of the driver's own launch, so that other launches, and
 * all launches of those who did not ask, cost nothing. Never during a capture, never two at once;
 * on any trouble it goes quiet for good and the launches are made as ever.
 */
#ifndef CULPRIT_INSPECT_INSPECT_H
#define CULPRIT_INSPECT_INSPECT_H

/*
 * Of kernels whose name, see kernel_choice.h, matches the extended regular expression; "" of none.
 * Start-up only, when the driver's table is filled.
 */
void inspect_start(const char *kernels);

#endif
