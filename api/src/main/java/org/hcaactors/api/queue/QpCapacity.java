// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}). Creation rounds the two queue lengths up to powers of two; the queue pair
 * tells the actual ones. A length of 0 leaves that queue out: posting to it is ENOMEM.
 *
 * <p>Immutable, and made from {@link #DEFAULT} or another by what differs; components are added in minor versions.
 */
public final class QpCapacity {
    /** Where each size stands among them. */
    private enum Size {
        SEND_WR,
        RECV_WR,
        SEND_SGE,
        RECV_SGE,
        INLINE,
        INLINE_RECEIVE,
        INLINE_RESULT,
        ATOMIC
    }

    /** 128 work requests and 128 receives, each of up to 4 elements, 256 bytes of inline data, and atomics of up to 8 bytes. */
    public static final QpCapacity DEFAULT = new QpCapacity(128, 128, 4, 4, 256, 0, 0, 8);

    private final int[] sizes;

    private QpCapacity(int... sizes) {
        this.sizes = sizes;
    }

    /** So many work requests, and so many receives; else as {@link #DEFAULT}. */
    public static QpCapacity of(int entries) {
        return DEFAULT.withMaxSendWr(entries).withMaxRecvWr(entries);
    }

    private int get(Size size) {
        return sizes[size.ordinal()];
    }

    /** Itself where that is what it has: queue pairs of one size share one. */
    private QpCapacity with(Size size, int value) {
        if (get(size) == value) {
            return this;
        }
        int[] changed = sizes.clone();
        changed[size.ordinal()] = value;
        return new QpCapacity(changed);
    }

    /** Work requests on the send queue. */
    public int maxSendWr() {
        return get(Size.SEND_WR);
    }

    /** Receives on the receive queue. */
    public int maxRecvWr() {
        return get(Size.RECV_WR);
    }

    /** Elements of a work request. */
    public int maxSendSge() {
        return get(Size.SEND_SGE);
    }

    /** Elements of a receive. */
    public int maxRecvSge() {
        return get(Size.RECV_SGE);
    }

    /** Inline data of a work request. */
    public int maxInlineBytes() {
        return get(Size.INLINE);
    }

    /**
     * The longest message that travels in the completion of its receive ({@code max_inl_recv}): it is in its buffer when that
     * completion is polled, or handed to a subscriber, and not before. Asked for with any number, it comes as 32 or, where the
     * entries of the completion queue have 128 bytes, 64; it stays 0 where the adapter or the type has none, or the
     * environment says so. The buffers are named by addresses of the process, and their keys do not count: an address where
     * nothing is mapped ends in a completion LOC_PROT_ERR, and a message longer than its receive in LOC_LEN_ERR.
     */
    public int maxInlineReceiveBytes() {
        return get(Size.INLINE_RECEIVE);
    }

    /**
     * The longest result of a READ or an atomic that travels in its completion; told by the queue pair, and what is asked for
     * here changes nothing. Not 0 on reliable connected queue pairs that receive inline and {@linkplain
     * QpDescription#withSignalAll signal all} requests, or {@linkplain QpDescription#withScatterToCqe allow} it.
     */
    public int maxInlineResultBytes() {
        return get(Size.INLINE_RESULT);
    }

    /**
     * The largest values of a masked atomic ({@code max_atomic_arg}): 8 unless said, 4, 16 ... 256, or 0 for none. Room for four
     * of them is kept in each work request, so it costs what more elements cost.
     */
    public int maxAtomicBytes() {
        return get(Size.ATOMIC);
    }

    public QpCapacity withMaxSendWr(int requests) {
        return with(Size.SEND_WR, requests);
    }

    public QpCapacity withMaxRecvWr(int receives) {
        return with(Size.RECV_WR, receives);
    }

    public QpCapacity withMaxSendSge(int elements) {
        return with(Size.SEND_SGE, elements);
    }

    public QpCapacity withMaxRecvSge(int elements) {
        return with(Size.RECV_SGE, elements);
    }

    public QpCapacity withMaxInlineBytes(int bytes) {
        return with(Size.INLINE, bytes);
    }

    /** @param bytes any number but 0 asks for it */
    public QpCapacity withMaxInlineReceiveBytes(int bytes) {
        return with(Size.INLINE_RECEIVE, bytes);
    }

    public QpCapacity withMaxInlineResultBytes(int bytes) {
        return with(Size.INLINE_RESULT, bytes);
    }

    /** @param bytes 0, 4, 8, 16, 32, 64, 128 or 256, or creating the queue pair is EINVAL; a request carries up to 64 */
    public QpCapacity withMaxAtomicBytes(int bytes) {
        return with(Size.ATOMIC, bytes);
    }

    /** Elements of a work request, and of a receive. */
    public QpCapacity withMaxSge(int elements) {
        return withMaxSendSge(elements).withMaxRecvSge(elements);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpCapacity same && Arrays.equals(sizes, same.sizes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sizes);
    }

    @Override
    public String toString() {
        String inline = maxInlineReceiveBytes() == 0 && maxInlineResultBytes() == 0
                ? ""
                : ", inline in completions " + maxInlineReceiveBytes() + " and " + maxInlineResultBytes();
        String atomics = maxAtomicBytes() == DEFAULT.maxAtomicBytes() ? "" : ", atomics of " + maxAtomicBytes();
        return "QpCapacity[%d, %d, %d, %d, %d%s%s]"
                .formatted(maxSendWr(), maxRecvWr(), maxSendSge(), maxRecvSge(), maxInlineBytes(), inline, atomics);
    }
}
