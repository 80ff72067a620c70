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
    public static final QpCapacity DEFAULT = new QpCapacity(128, 128, 4, 4, 256, 0, 0);

    private final int maxSendWr;
    private final int maxRecvWr;
    private final int maxSendSge;
    private final int maxRecvSge;
    private final int maxInlineBytes;
    private final int maxInlineReceiveBytes;
    private final int maxInlineResultBytes;

    private QpCapacity(
            int maxSendWr,
            int maxRecvWr,
            int maxSendSge,
            int maxRecvSge,
            int maxInlineBytes,
            int maxInlineReceiveBytes,
            int maxInlineResultBytes) {
        this.maxSendWr = maxSendWr;
        this.maxRecvWr = maxRecvWr;
        this.maxSendSge = maxSendSge;
        this.maxRecvSge = maxRecvSge;
        this.maxInlineBytes = maxInlineBytes;
        this.maxInlineReceiveBytes = maxInlineReceiveBytes;
        this.maxInlineResultBytes = maxInlineResultBytes;
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

    /**
     * The longest message that travels in the completion of its receive ({@code max_inl_recv}): it is in its buffer when that
     * completion is polled, or handed to a subscriber, and not before. Asked for with any number, it comes as 32 or, where the
     * entries of the completion queue have 128 bytes, 64; it stays 0 where the adapter or the type has none, or the
     * environment says so. The buffers are named by addresses of the process, and their keys do not count: an address where
     * nothing is mapped ends in a completion LOC_PROT_ERR, and a message longer than its receive in LOC_LEN_ERR.
     */
    public int maxInlineReceiveBytes() {
        return maxInlineReceiveBytes;
    }

    /**
     * The longest result of a READ or an atomic that travels in its completion; told by the queue pair, and what is asked for
     * here changes nothing. Not 0 on reliable connected queue pairs that receive inline and {@linkplain
     * QpDescription#signalingAll signal all} requests, or {@linkplain QpDescription#allowingScatterToCqe allow} it.
     */
    public int maxInlineResultBytes() {
        return maxInlineResultBytes;
    }

    public QpCapacity withMaxSendWr(int requests) {
        return requests == maxSendWr
                ? this
                : new QpCapacity(
                        requests,
                        maxRecvWr,
                        maxSendSge,
                        maxRecvSge,
                        maxInlineBytes,
                        maxInlineReceiveBytes,
                        maxInlineResultBytes);
    }

    public QpCapacity withMaxRecvWr(int receives) {
        return receives == maxRecvWr
                ? this
                : new QpCapacity(
                        maxSendWr,
                        receives,
                        maxSendSge,
                        maxRecvSge,
                        maxInlineBytes,
                        maxInlineReceiveBytes,
                        maxInlineResultBytes);
    }

    public QpCapacity withMaxSendSge(int elements) {
        return elements == maxSendSge
                ? this
                : new QpCapacity(
                        maxSendWr,
                        maxRecvWr,
                        elements,
                        maxRecvSge,
                        maxInlineBytes,
                        maxInlineReceiveBytes,
                        maxInlineResultBytes);
    }

    public QpCapacity withMaxRecvSge(int elements) {
        return elements == maxRecvSge
                ? this
                : new QpCapacity(
                        maxSendWr,
                        maxRecvWr,
                        maxSendSge,
                        elements,
                        maxInlineBytes,
                        maxInlineReceiveBytes,
                        maxInlineResultBytes);
    }

    public QpCapacity withMaxInlineBytes(int bytes) {
        return bytes == maxInlineBytes
                ? this
                : new QpCapacity(
                        maxSendWr,
                        maxRecvWr,
                        maxSendSge,
                        maxRecvSge,
                        bytes,
                        maxInlineReceiveBytes,
                        maxInlineResultBytes);
    }

    /** @param bytes any number but 0 asks for it */
    public QpCapacity withMaxInlineReceiveBytes(int bytes) {
        return bytes == maxInlineReceiveBytes
                ? this
                : new QpCapacity(
                        maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, bytes, maxInlineResultBytes);
    }

    public QpCapacity withMaxInlineResultBytes(int bytes) {
        return bytes == maxInlineResultBytes
                ? this
                : new QpCapacity(
                        maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, maxInlineReceiveBytes, bytes);
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
        String inline = maxInlineReceiveBytes == 0 && maxInlineResultBytes == 0
                ? ""
                : ", inline in completions " + maxInlineReceiveBytes + " and " + maxInlineResultBytes;
        return "QpCapacity[%d, %d, %d, %d, %d%s]"
                .formatted(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, inline);
    }

    private List<Object> values() {
        return List.of(
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes);
    }
}
