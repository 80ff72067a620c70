// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * View of one entry of a completion queue for the handler of a {@link CompletionReader} ({@code ibv_cq_ex} with {@code
 * ibv_wc_read_*}). One object shows all entries in turn: it is valid while the handler runs for that entry, and throws
 * IllegalStateException afterwards. {@link #completion} returns a copy that can be kept.
 *
 * <p>Threads: any that runs the handler, and no other one. Limits: one entry at a time, while the handler runs for it.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionCursor {
    /** Identifier of the work request or receive ({@code wr_id}). */
    long workId();

    /** Status; if it is not SUCCESS, only status, workId, qpNumber and the vendor error are valid. */
    Status status();

    /** True if the status is SUCCESS, so that all fields are valid. */
    default boolean isSuccess() {
        return status() == Status.SUCCESS;
    }

    /** Kind of the completed operation; invalid on error. */
    CompletionKind kind();

    /** Number of the local queue pair. */
    int qpNumber();

    /** Same as {@link WorkCompletion#lengthBytes}. */
    long lengthBytes();

    /** Same as {@link WorkCompletion#vendorError}; valid only on error. */
    default int vendorError() {
        return completion().vendorError();
    }

    /** Same as {@link WorkCompletion#flags}. */
    default int flags() {
        return completion().flags();
    }

    /**
     * Number of entries that follow in the same batch, at most 255. At 0 the handler runs for the last entry, the place for
     * work whose cost is per batch. Entries of a queue pair that is reset meanwhile are skipped, and then the batch ends
     * without a 0.
     */
    int remaining();

    /** Returns the complete entry, with all fields of {@code ibv_wc} that exist on RoCE. Immutable; it may be kept. Allocates nothing. */
    WorkCompletion completion();
}
