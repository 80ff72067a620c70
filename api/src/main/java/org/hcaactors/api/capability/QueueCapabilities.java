// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a queue pair.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class QueueCapabilities {
    /** Queues without capacity. */
    public static final QueueCapabilities NONE = new QueueCapabilities(new Fields());

    /** Attributes of {@code ibv_modify_qp} have 8 bits. */
    private static final int MAX_RD_ATOMIC = 255;

    private final Fields fields;

    private QueueCapabilities(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new capabilities exist. */
    private static final class Fields {
        private int maxWr;
        private int maxSge;
        private int maxReadSge = Integer.MAX_VALUE;
        private int maxInlineBytes;
        private int maxRdAtomic;
        private int maxDestRdAtomic;
        private int maxInlineReceiveBytes;

        private Fields() {}

        private Fields(Fields other) {
            maxWr = other.maxWr;
            maxSge = other.maxSge;
            maxReadSge = other.maxReadSge;
            maxInlineBytes = other.maxInlineBytes;
            maxRdAtomic = other.maxRdAtomic;
            maxDestRdAtomic = other.maxDestRdAtomic;
            maxInlineReceiveBytes = other.maxInlineReceiveBytes;
        }
    }

    /** Maximum number of work requests on one queue. */
    public int maxWr() {
        return fields.maxWr;
    }

    /** Maximum number of scatter/gather elements of a work request or receive. */
    public int maxSge() {
        return fields.maxSge;
    }

    // rule post-elements
    /** Maximum number of scatter/gather elements of a READ ({@code max_sge_rd}), at most {@link #maxSge}. */
    public int maxReadSge() {
        return Math.min(fields.maxSge, fields.maxReadSge);
    }

    /** Maximum inline data of a work request, in bytes. */
    public int maxInlineBytes() {
        return fields.maxInlineBytes;
    }

    /** Maximum outstanding READs and atomics as requester ({@code max_qp_init_rd_atom}). */
    public int maxRdAtomic() {
        return fields.maxRdAtomic;
    }

    /** Maximum outstanding READs and atomics as responder ({@code max_qp_rd_atom}). */
    public int maxDestRdAtomic() {
        return fields.maxDestRdAtomic;
    }

    /**
     * Maximum size of a message or result that is written into its completion, in bytes ({@code inline_recv_sz}); 0: not
     * supported.
     */
    public int maxInlineReceiveBytes() {
        return fields.maxInlineReceiveBytes;
    }

    public QueueCapabilities withMaxWr(int max) {
        return with(now -> now.maxWr = max);
    }

    public QueueCapabilities withMaxSge(int max) {
        return with(now -> now.maxSge = max);
    }

    /** A value above {@link #maxSge} is no limit. */
    public QueueCapabilities withMaxReadSge(int max) {
        return with(now -> now.maxReadSge = max);
    }

    public QueueCapabilities withMaxInlineBytes(int max) {
        return with(now -> now.maxInlineBytes = max);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 255. */
    public QueueCapabilities withMaxRdAtomic(int max) {
        return with(now -> now.maxRdAtomic = rdAtomic(max));
    }

    /** IllegalArgumentException unless {@code max} is 0 to 255. */
    public QueueCapabilities withMaxDestRdAtomic(int max) {
        return with(now -> now.maxDestRdAtomic = rdAtomic(max));
    }

    public QueueCapabilities withMaxInlineReceiveBytes(int max) {
        return with(now -> now.maxInlineReceiveBytes = max);
    }

    private static int rdAtomic(int max) {
        if (max < 0 || max > MAX_RD_ATOMIC) {
            throw new IllegalArgumentException("the maximum of outstanding READs and atomics is " + max + "; 0 to "
                    + MAX_RD_ATOMIC + " is allowed");
        }
        return max;
    }

    private QueueCapabilities with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new QueueCapabilities(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueueCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "QueueCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(
                fields.maxWr,
                fields.maxSge,
                maxReadSge(),
                fields.maxInlineBytes,
                fields.maxRdAtomic,
                fields.maxDestRdAtomic,
                fields.maxInlineReceiveBytes);
    }
}
