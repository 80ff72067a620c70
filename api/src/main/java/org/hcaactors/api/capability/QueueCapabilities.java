// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a queue pair.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class QueueCapabilities {
    /** Queues without capacity. */
    public static final QueueCapabilities NONE = new QueueCapabilities(0, 0, 0, 0, 0, 0);

    /** Attributes of {@code ibv_modify_qp} have 8 bits. */
    private static final int MAX_RD_ATOMIC = 255;

    private final int maxWr;
    private final int maxSge;
    private final int maxInlineBytes;
    private final int maxRdAtomic;
    private final int maxDestRdAtomic;
    private final int maxInlineReceiveBytes;

    private QueueCapabilities(
            int maxWr,
            int maxSge,
            int maxInlineBytes,
            int maxRdAtomic,
            int maxDestRdAtomic,
            int maxInlineReceiveBytes) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        this.maxInlineBytes = maxInlineBytes;
        this.maxRdAtomic = maxRdAtomic;
        this.maxDestRdAtomic = maxDestRdAtomic;
        this.maxInlineReceiveBytes = maxInlineReceiveBytes;
    }

    /** Maximum number of work requests on one queue. */
    public int maxWr() {
        return maxWr;
    }

    /** Maximum number of scatter/gather elements of a work request or receive. */
    public int maxSge() {
        return maxSge;
    }

    /** Maximum inline data of a work request, in bytes. */
    public int maxInlineBytes() {
        return maxInlineBytes;
    }

    /** Maximum outstanding READs and atomics as requester ({@code max_qp_init_rd_atom}). */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** Maximum outstanding READs and atomics as responder ({@code max_qp_rd_atom}). */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /**
     * Maximum size of a message or result that is written into its completion, in bytes ({@code inline_recv_sz}); 0: not
     * supported.
     */
    public int maxInlineReceiveBytes() {
        return maxInlineReceiveBytes;
    }

    public QueueCapabilities withMaxWr(int max) {
        return new QueueCapabilities(max, maxSge, maxInlineBytes, maxRdAtomic, maxDestRdAtomic, maxInlineReceiveBytes);
    }

    public QueueCapabilities withMaxSge(int max) {
        return new QueueCapabilities(maxWr, max, maxInlineBytes, maxRdAtomic, maxDestRdAtomic, maxInlineReceiveBytes);
    }

    public QueueCapabilities withMaxInlineBytes(int max) {
        return new QueueCapabilities(maxWr, maxSge, max, maxRdAtomic, maxDestRdAtomic, maxInlineReceiveBytes);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 255. */
    public QueueCapabilities withMaxRdAtomic(int max) {
        return new QueueCapabilities(
                maxWr, maxSge, maxInlineBytes, rdAtomic(max), maxDestRdAtomic, maxInlineReceiveBytes);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 255. */
    public QueueCapabilities withMaxDestRdAtomic(int max) {
        return new QueueCapabilities(
                maxWr, maxSge, maxInlineBytes, maxRdAtomic, rdAtomic(max), maxInlineReceiveBytes);
    }

    public QueueCapabilities withMaxInlineReceiveBytes(int max) {
        return new QueueCapabilities(maxWr, maxSge, maxInlineBytes, maxRdAtomic, maxDestRdAtomic, max);
    }

    private static int rdAtomic(int max) {
        if (max < 0 || max > MAX_RD_ATOMIC) {
            throw new IllegalArgumentException("the maximum of outstanding READs and atomics is " + max + "; 0 to "
                    + MAX_RD_ATOMIC + " is allowed");
        }
        return max;
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
        return List.of(maxWr, maxSge, maxInlineBytes, maxRdAtomic, maxDestRdAtomic, maxInlineReceiveBytes);
    }
}
