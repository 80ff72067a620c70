// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * A view of one entry of a completion queue, for the handler of a {@link CompletionReader} ({@code ibv_cq_ex} with its {@code
 * ibv_wc_read_*}). The same object shows one entry after the other: it is valid while the handler runs for that entry, and
 * throws IllegalStateException afterwards. {@link #completion} is what can be kept.
 *
 * <p>Threads: any that runs the handler, and no other one. Limits: one entry at a time, while the handler runs for it.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionCursor {
    /** The number of the work request or receive. */
    long workId();

    /** On anything but SUCCESS only this, workId, qpNumber and the vendor's error are valid. */
    Status status();

    /** Everything here is valid, not only what is so on an error. */
    default boolean isSuccess() {
        return status() == Status.SUCCESS;
    }

    /** What completed; not valid on error. */
    CompletionKind kind();

    /** The local queue pair. */
    int qpNumber();

    /** As {@link WorkCompletion#lengthBytes}. */
    long lengthBytes();

    /**
     * Entries of the same batch behind this one, at most 255. At 0 the handler runs for the last of them: the place to do at
     * once what costs the same for one as for many. Of a queue pair that is reset meanwhile they are not shown any more; then
     * a batch ends without a 0.
     */
    int remaining();

    /** The entry with all that it says. Immutable; it may be kept. */
    WorkCompletion completion();
}
