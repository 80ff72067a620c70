// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}). Creation rounds the two queue lengths up to powers of two; the queue pair
 * tells the actual ones. A length of 0 leaves that queue out: posting to it is ENOMEM.
 *
 * <p>Immutable, and made from {@link #DEFAULT} or another by what differs; components are added in minor versions.
 */
public final class QpCapacity {
    /** 128 work requests and 128 receives, each of up to 4 elements, and 256 bytes of inline data. */
    public static final QpCapacity DEFAULT = new QpCapacity(128, 128, 4, 4, 256);

    private final int maxSendWr;
    private final int maxRecvWr;
    private final int maxSendSge;
    private final int maxRecvSge;
    private final int maxInlineBytes;

    private QpCapacity(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineBytes) {
        this.maxSendWr = maxSendWr;
        this.maxRecvWr = maxRecvWr;
        this.maxSendSge = maxSendSge;
        this.maxRecvSge = maxRecvSge;
        this.maxInlineBytes = maxInlineBytes;
    }

    /** So many work requests, and so many receives; else as {@link #DEFAULT}. */
    public static QpCapacity of(int entries) {
        return DEFAULT.withMaxSendWr(entries).withMaxRecvWr(entries);
    }

    /** Work requests on the send queue. */
    public int maxSendWr() {
        return maxSendWr;
    }

    /** Receives on the receive queue. */
    public int maxRecvWr() {
        return maxRecvWr;
    }

    /** Elements of a work request. */
    public int maxSendSge() {
        return maxSendSge;
    }

    /** Elements of a receive. */
    public int maxRecvSge() {
        return maxRecvSge;
    }

    /** Inline data of a work request. */
    public int maxInlineBytes() {
        return maxInlineBytes;
    }

    public QpCapacity withMaxSendWr(int requests) {
        return new QpCapacity(requests, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes);
    }

    public QpCapacity withMaxRecvWr(int receives) {
        return new QpCapacity(maxSendWr, receives, maxSendSge, maxRecvSge, maxInlineBytes);
    }

    public QpCapacity withMaxSendSge(int elements) {
        return new QpCapacity(maxSendWr, maxRecvWr, elements, maxRecvSge, maxInlineBytes);
    }

    public QpCapacity withMaxRecvSge(int elements) {
        return new QpCapacity(maxSendWr, maxRecvWr, maxSendSge, elements, maxInlineBytes);
    }

    public QpCapacity withMaxInlineBytes(int bytes) {
        return new QpCapacity(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, bytes);
    }

    /** Elements of a work request, and of a receive. */
    public QpCapacity withMaxSge(int elements) {
        return withMaxSendSge(elements).withMaxRecvSge(elements);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpCapacity same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "QpCapacity" + values();
    }

    private List<Object> values() {
        return List.of(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes);
    }
}
