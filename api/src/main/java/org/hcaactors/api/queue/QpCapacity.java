// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}). Creation rounds both queue lengths up to powers of two; {@link
 * QueuePair#capacity} returns the actual ones. With length 0 the queue does not exist: posting to it is ENOMEM.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #DEFAULT}. Components are added in minor versions.
 */
public final class QpCapacity {
    /** Index of each size. */
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

    /** {@link #DEFAULT} with this number of work requests and of receives. */
    public static QpCapacity of(int entries) {
        return DEFAULT.withMaxSendWr(entries).withMaxRecvWr(entries);
    }

    private int get(Size size) {
        return sizes[size.ordinal()];
    }

    /** Returns this if nothing changes, so that queue pairs of one size share one object. */
    private QpCapacity with(Size size, int value) {
        if (get(size) == value) {
            return this;
        }
        int[] changed = sizes.clone();
        changed[size.ordinal()] = value;
        return new QpCapacity(changed);
    }

    /** Maximum number of outstanding work requests on the send queue ({@code max_send_wr}). */
    public int maxSendWr() {
        return get(Size.SEND_WR);
    }

    /** Maximum number of outstanding receives on the receive queue ({@code max_recv_wr}). */
    public int maxRecvWr() {
        return get(Size.RECV_WR);
    }

    /** Maximum number of scatter/gather elements of a work request ({@code max_send_sge}). */
    public int maxSendSge() {
        return get(Size.SEND_SGE);
    }

    /** Maximum number of scatter/gather elements of a receive ({@code max_recv_sge}). */
    public int maxRecvSge() {
        return get(Size.RECV_SGE);
    }

    /** Maximum inline data of a work request, in bytes ({@code max_inline_data}). */
    public int maxInlineBytes() {
        return get(Size.INLINE);
    }

    /**
     * Maximum message size that is written into the completion of its receive ({@code max_inl_recv}). The data is copied to the
     * buffer when the completion is polled or delivered to a subscriber, and not before. If any number but 0 is requested, the
     * actual size is 32, or 64 if the entries of the completion queue have 128 bytes; it stays 0 if the adapter or the queue
     * pair type does not support it, or the environment forbids it. The copy uses addresses of the process, and keys are not
     * checked: an unmapped address completes with LOC_PROT_ERR, a message longer than its receive with LOC_LEN_ERR.
     */
    public int maxInlineReceiveBytes() {
        return get(Size.INLINE_RECEIVE);
    }

    /**
     * Maximum length of a READ's or an atomic's result that is written into its completion. The queue pair reports it; a
     * requested value has no effect. It is not 0 for RC queue pairs that have inline data in completions and either {@linkplain
     * QpDescription#withSignalAll signal all} requests or {@linkplain QpDescription#withScatterToCqe allow} inline results.
     */
    public int maxInlineResultBytes() {
        return get(Size.INLINE_RESULT);
    }

    /**
     * Maximum operand size of a masked atomic ({@code max_atomic_arg}): 4, 8, 16 ... 256, or 0 for none; 8 by default. Each
     * work request reserves space for four operands, so a larger size costs as much as more elements.
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

    /** @param bytes any number but 0 requests it */
    public QpCapacity withMaxInlineReceiveBytes(int bytes) {
        return with(Size.INLINE_RECEIVE, bytes);
    }

    public QpCapacity withMaxInlineResultBytes(int bytes) {
        return with(Size.INLINE_RESULT, bytes);
    }

    /** @param bytes 0, 4, 8, 16, 32, 64, 128 or 256, otherwise creating the queue pair is EINVAL; a request carries up to 64 */
    public QpCapacity withMaxAtomicBytes(int bytes) {
        return with(Size.ATOMIC, bytes);
    }

    /** Sets the maximum number of scatter/gather elements of a work request and of a receive. */
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
                : ", inline receives of " + maxInlineReceiveBytes() + " and results of " + maxInlineResultBytes();
        String atomics = maxAtomicBytes() == DEFAULT.maxAtomicBytes() ? "" : ", atomics of " + maxAtomicBytes();
        return "QpCapacity[%d, %d, %d, %d, %d%s%s]"
                .formatted(maxSendWr(), maxRecvWr(), maxSendSge(), maxRecvSge(), maxInlineBytes(), inline, atomics);
    }
}
