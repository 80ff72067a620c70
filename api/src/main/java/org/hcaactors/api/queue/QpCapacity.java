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
    private static final int DEFAULT_ATOMIC_BYTES = 8;

    /** 128 work requests and 128 receives, each of up to 4 elements, 256 bytes of inline data, and atomics of up to 8 bytes. */
    public static final QpCapacity DEFAULT = new QpCapacity(128, 128, 4, 4, 256, 0, 0, DEFAULT_ATOMIC_BYTES);

    private final int maxSendWr;
    private final int maxRecvWr;
    private final int maxSendSge;
    private final int maxRecvSge;
    private final int maxInlineBytes;
    private final int maxInlineReceiveBytes;
    private final int maxInlineResultBytes;
    private final int maxAtomicBytes;

    private QpCapacity(
            int maxSendWr,
            int maxRecvWr,
            int maxSendSge,
            int maxRecvSge,
            int maxInlineBytes,
            int maxInlineReceiveBytes,
            int maxInlineResultBytes,
            int maxAtomicBytes) {
        this.maxSendWr = maxSendWr;
        this.maxRecvWr = maxRecvWr;
        this.maxSendSge = maxSendSge;
        this.maxRecvSge = maxRecvSge;
        this.maxInlineBytes = maxInlineBytes;
        this.maxInlineReceiveBytes = maxInlineReceiveBytes;
        this.maxInlineResultBytes = maxInlineResultBytes;
        this.maxAtomicBytes = maxAtomicBytes;
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

    /**
     * The largest values of a masked atomic ({@code max_atomic_arg}); 0 for none. Room for four of them is kept in each work
     * request, so it costs what more elements cost.
     */
    public int maxAtomicBytes() {
        return maxAtomicBytes;
    }

    public QpCapacity withMaxSendWr(int requests) {
        return new QpCapacity(
                requests,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes, maxAtomicBytes);
    }

    public QpCapacity withMaxRecvWr(int receives) {
        return new QpCapacity(
                maxSendWr,
                receives,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes, maxAtomicBytes);
    }

    public QpCapacity withMaxSendSge(int elements) {
        return new QpCapacity(
                maxSendWr,
                maxRecvWr,
                elements,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes, maxAtomicBytes);
    }

    public QpCapacity withMaxRecvSge(int elements) {
        return new QpCapacity(
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                elements,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes, maxAtomicBytes);
    }

    public QpCapacity withMaxInlineBytes(int bytes) {
        return new QpCapacity(
                maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, bytes, maxInlineReceiveBytes, maxInlineResultBytes, maxAtomicBytes);
    }

    /** @param bytes any number but 0 asks for it */
    public QpCapacity withMaxInlineReceiveBytes(int bytes) {
        return new QpCapacity(
                maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, bytes, maxInlineResultBytes, maxAtomicBytes);
    }

    public QpCapacity withMaxInlineResultBytes(int bytes) {
        return new QpCapacity(
                maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, maxInlineReceiveBytes, bytes, maxAtomicBytes);
    }

    public QpCapacity withMaxAtomicBytes(int bytes) {
        return new QpCapacity(
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes,
                bytes);
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
        String atomics = maxAtomicBytes == DEFAULT_ATOMIC_BYTES ? "" : ", atomics of " + maxAtomicBytes;
        return "QpCapacity[%d, %d, %d, %d, %d%s%s]"
                .formatted(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineBytes, inline, atomics);
    }

    private List<Object> values() {
        return List.of(
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                maxInlineReceiveBytes,
                maxInlineResultBytes,
                maxAtomicBytes);
    }
}
