// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits and features of completion queues.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class CompletionCapabilities {
    /** No completion queue can be created. */
    public static final CompletionCapabilities NONE = new CompletionCapabilities(0, 0, 0, Duration.ZERO, 0, 64);

    private final int maxEntries;
    private final int vectors;
    private final int maxModeratedEntries;
    private final Duration maxModerationPeriod;
    private final int clockKilohertz;
    private final int maxEntryBytes;

    private CompletionCapabilities(
            int maxEntries,
            int vectors,
            int maxModeratedEntries,
            Duration maxModerationPeriod,
            int clockKilohertz,
            int maxEntryBytes) {
        this.maxEntries = maxEntries;
        this.vectors = vectors;
        this.maxModeratedEntries = maxModeratedEntries;
        this.maxModerationPeriod = maxModerationPeriod;
        this.clockKilohertz = clockKilohertz;
        this.maxEntryBytes = maxEntryBytes;
    }

    /** Maximum number of entries of a completion queue ({@code max_cqe}). */
    public int maxEntries() {
        return maxEntries;
    }

    /** Number of completion vectors ({@code num_comp_vectors}). */
    public int vectors() {
        return vectors;
    }

    /** Maximum number of completions that moderation can wait for; 0: no moderation. */
    public int maxModeratedEntries() {
        return maxModeratedEntries;
    }

    /** Maximum time that moderation can wait. */
    public Duration maxModerationPeriod() {
        return maxModerationPeriod;
    }

    /** Frequency of the clock for completion timestamps, in kHz ({@code hca_core_clock}). */
    public int clockKilohertz() {
        return clockKilohertz;
    }

    /** Bits of a completion timestamp that are in use ({@code completion_timestamp_mask}): 63; 0 without a clock. */
    public long timestampMask() {
        return clockKilohertz == 0 ? 0 : Long.MAX_VALUE;
    }

    /** Maximum entry size that can be requested, in bytes; the default size is 64. */
    public int maxEntryBytes() {
        return maxEntryBytes;
    }

    /** True if completion queues can moderate their events. */
    public boolean canModerate() {
        return maxModeratedEntries > 0;
    }

    public CompletionCapabilities withMaxEntries(int max) {
        return new CompletionCapabilities(
                max, vectors, maxModeratedEntries, maxModerationPeriod, clockKilohertz, maxEntryBytes);
    }

    public CompletionCapabilities withVectors(int count) {
        return new CompletionCapabilities(
                maxEntries, count, maxModeratedEntries, maxModerationPeriod, clockKilohertz, maxEntryBytes);
    }

    public CompletionCapabilities withMaxModeratedEntries(int max) {
        return new CompletionCapabilities(maxEntries, vectors, max, maxModerationPeriod, clockKilohertz, maxEntryBytes);
    }

    public CompletionCapabilities withMaxModerationPeriod(Duration max) {
        return new CompletionCapabilities(maxEntries, vectors, maxModeratedEntries, max, clockKilohertz, maxEntryBytes);
    }

    public CompletionCapabilities withClockKilohertz(int ticks) {
        return new CompletionCapabilities(
                maxEntries, vectors, maxModeratedEntries, maxModerationPeriod, ticks, maxEntryBytes);
    }

    public CompletionCapabilities withMaxEntryBytes(int max) {
        return new CompletionCapabilities(
                maxEntries, vectors, maxModeratedEntries, maxModerationPeriod, clockKilohertz, max);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CompletionCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "CompletionCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(maxEntries, vectors, maxModeratedEntries, maxModerationPeriod, clockKilohertz, maxEntryBytes);
    }
}
