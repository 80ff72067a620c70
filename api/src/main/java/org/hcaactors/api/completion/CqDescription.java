// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;

/**
 * Describes a completion queue before it is created ({@code ibv_create_cq}, {@code ibv_create_cq_ex}). Immutable: each call
 * gives a new description, safe for several threads. What is asked for is judged when the queue is created.
 */
public final class CqDescription {
    private final int entries;
    private final Optional<CompletionChannel> channel;
    private final int vector;
    private final boolean ignoreOverrun;
    private final boolean timestamps;

    private CqDescription(
            int entries, Optional<CompletionChannel> channel, int vector, boolean ignoreOverrun, boolean timestamps) {
        this.entries = entries;
        this.channel = channel;
        this.vector = vector;
        this.ignoreOverrun = ignoreOverrun;
        this.timestamps = timestamps;
    }

    /** At least that many entries, and nothing else asked for. */
    public static CqDescription of(int entries) {
        return new CqDescription(entries, Optional.empty(), 0, false, false);
    }

    /** When armed it reports to {@code wanted}. */
    public CqDescription reportingTo(CompletionChannel wanted) {
        return new CqDescription(entries, Optional.of(wanted), vector, ignoreOverrun, timestamps);
    }

    /** Which of the adapter's event queues carries the report, from 0. */
    public CqDescription onVector(int wanted) {
        return new CqDescription(entries, channel, wanted, ignoreOverrun, timestamps);
    }

    /** A full queue overwrites its oldest entry instead of failing. */
    public CqDescription ignoringOverrun() {
        return new CqDescription(entries, channel, vector, true, timestamps);
    }

    /** Completions say when they were written. */
    public CqDescription withTimestamps() {
        return new CqDescription(entries, channel, vector, ignoreOverrun, true);
    }

    public int entries() {
        return entries;
    }

    public Optional<CompletionChannel> channel() {
        return channel;
    }

    public int vector() {
        return vector;
    }

    public boolean ignoreOverrun() {
        return ignoreOverrun;
    }

    public boolean timestamps() {
        return timestamps;
    }

    @Override
    public String toString() {
        return "completion queue, %d entries on vector %d%s%s%s"
                .formatted(
                        entries,
                        vector,
                        channel.map(each -> ", reporting to " + each.describe()).orElse(""),
                        ignoreOverrun ? ", ignoring overrun" : "",
                        timestamps ? ", with timestamps" : "");
    }
}
