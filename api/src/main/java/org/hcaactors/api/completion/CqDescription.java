package org.hcaactors.api.completion;

import java.util.Optional;

/**
 * What a completion queue is created with ({@code ibv_create_cq}, {@code ibv_create_cq_ex}).
 *
 * @param entries at least so many
 * @param channel where it reports when armed
 * @param vector which of the adapter's event queues carries the report, from 0
 * @param ignoreOverrun a full queue overwrites its oldest entry instead of failing
 * @param timestamps completions say when they were written
 */
public record CqDescription(
        int entries, Optional<CompletionChannel> channel, int vector, boolean ignoreOverrun, boolean timestamps) {
    public static CqDescription of(int entries) {
        return new CqDescription(entries, Optional.empty(), 0, false, false);
    }

    public CqDescription reportingTo(CompletionChannel wanted) {
        return new CqDescription(entries, Optional.of(wanted), vector, ignoreOverrun, timestamps);
    }

    public CqDescription onVector(int wanted) {
        return new CqDescription(entries, channel, wanted, ignoreOverrun, timestamps);
    }

    public CqDescription ignoringOverrun() {
        return new CqDescription(entries, channel, vector, true, timestamps);
    }

    public CqDescription withTimestamps() {
        return new CqDescription(entries, channel, vector, ignoreOverrun, true);
    }
}
