// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.nio.ByteOrder;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which atomics an adapter carries out: plain ones, {@link org.hcaactors.api.work.CompareAndSwap} and {@link org.hcaactors.api.work.FetchAdd}, and
 * masked ones, {@link org.hcaactors.api.work.MaskedCompareAndSwap} and {@link org.hcaactors.api.work.MaskedFetchAdd}.
 *
 * <p>Sizes are told as masks of what they are: bit n stands for values of 2^n bytes, so that {@code 0x8} is 8 bytes and
 * {@code 0x3c} 4, 8, 16 and 32 ({@code log_atomic_arg_sizes}, whatever its name says).
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class AtomicCapabilities {
    /** No atomics: posting one is EOPNOTSUPP, and a peer's is refused. */
    public static final AtomicCapabilities NONE = new AtomicCapabilities(AtomicScope.NONE, false, 0, 0);

    /** The largest values that a request carries itself ({@code log_max_atomic_inline} is at most 6). */
    private static final int MAX_INLINE_LOG = 6;

    private static final int SMALLEST = 4;
    private static final int LARGEST = 256;

    private final AtomicScope scope;
    private final boolean bigEndianReplies;
    private final int maskedSizes;
    private final int networkOrderSizes;

    private AtomicCapabilities(AtomicScope scope, boolean bigEndianReplies, int maskedSizes, int networkOrderSizes) {
        this.scope = scope;
        this.bigEndianReplies = bigEndianReplies;
        this.maskedSizes = maskedSizes;
        this.networkOrderSizes = networkOrderSizes;
    }

    /** Compare-and-swap and fetch-and-add of 8 bytes. */
    public boolean eightBytes() {
        return scope != AtomicScope.NONE;
    }

    /** Among whom they are atomic; NONE where there are none. */
    public AtomicScope scope() {
        return scope;
    }

    /**
     * The results of its plain atomics stand big-endian in the requester's memory, whatever the host's order ({@code
     * IBV_EXP_ATOMIC_HCA_REPLY_BE}). On a host that is big-endian itself that makes no difference; on another, the standard
     * query tells {@link AtomicScope#NONE}, and a queue pair posts atomics only where it {@linkplain
     * org.hcaactors.api.queue.QpDescription#withBigEndianReplies knows of it}.
     */
    public boolean bigEndianReplies() {
        return bigEndianReplies;
    }

    // rule atomic-standard-query
    /** What the standard query tells on a host with that order of bytes: it has no word for results in another one. */
    public AtomicScope standardScope(ByteOrder host) {
        return repliesSwappedOn(host) ? AtomicScope.NONE : scope;
    }

    /** The results of its plain atomics stand in another order than that host's. */
    public boolean repliesSwappedOn(ByteOrder host) {
        return eightBytes() && bigEndianReplies && host != ByteOrder.BIG_ENDIAN;
    }

    /** Sizes of masked atomics, as a mask ({@code masked_log_atomic_arg_sizes}); 0 for none. */
    public int maskedSizes() {
        return maskedSizes;
    }

    /** There are masked atomics of so many bytes. */
    public boolean hasMasked(int bytes) {
        return Integer.bitCount(bytes) == 1 && (maskedSizes & bytes) != 0;
    }

    /**
     * Sizes of masked atomics whose results stand big-endian in the memory of a little-endian host, as a mask ({@code
     * masked_log_atomic_arg_sizes_network_endianness}).
     */
    public int networkOrderSizes() {
        return networkOrderSizes;
    }

    // rule atomic-reply-order
    /** The order of the bytes of a masked atomic's result, of each word of eight, in the memory of such a host. */
    public ByteOrder maskedReplyOrder(int bytes, ByteOrder host) {
        return bigEndianReplies || (networkOrderSizes & bytes) != 0 ? ByteOrder.BIG_ENDIAN : host;
    }

    /** Log2 of the largest values that a masked atomic carries ({@code log_max_atomic_inline}), at most 6; 0 for none. */
    public int logMaxInline() {
        return maskedSizes == 0 ? 0 : Math.min(MAX_INLINE_LOG, 31 - Integer.numberOfLeadingZeros(maskedSizes));
    }

    /** Bits of a number in which fields of a masked fetch-and-add may end ({@code max_fa_bit_boundary}); 0 for none. */
    public int maxFetchAddBoundary() {
        return maskedSizes == 0 ? 0 : Long.SIZE;
    }

    /** With or without plain atomics; with, they are {@link AtomicScope#HCA} unless it says more already. */
    public AtomicCapabilities withEightBytes(boolean supported) {
        AtomicScope kept = scope == AtomicScope.NONE ? AtomicScope.HCA : scope;
        return withScope(supported ? kept : AtomicScope.NONE);
    }

    /** {@link AtomicScope#NONE} takes the masked ones along. */
    public AtomicCapabilities withScope(AtomicScope other) {
        return other == AtomicScope.NONE
                ? NONE
                : new AtomicCapabilities(other, bigEndianReplies, maskedSizes, networkOrderSizes);
    }

    public AtomicCapabilities withBigEndianReplies(boolean bigEndian) {
        return new AtomicCapabilities(scope, bigEndian, maskedSizes, networkOrderSizes);
    }

    /**
     * Masked atomics of these sizes, and the results of all but 8 bytes in network order, as ConnectX has it. Powers of two
     * from 4 to 256, on an adapter with plain ones, or IllegalArgumentException. Sizes of more than 64 bytes are told, as real
     * adapters tell them, and can't be posted: a request carries its values {@linkplain #logMaxInline itself}.
     */
    public AtomicCapabilities withMaskedSizes(int... bytes) {
        int mask = mask(bytes);
        if (mask != 0 && scope == AtomicScope.NONE) {
            throw new IllegalArgumentException("masked atomics on an adapter without plain ones");
        }
        return new AtomicCapabilities(scope, bigEndianReplies, mask, mask & ~Long.BYTES);
    }

    /** Sizes, as for {@link #withMaskedSizes}, whose results stand in network order. */
    public AtomicCapabilities withNetworkOrderSizes(int... bytes) {
        return new AtomicCapabilities(scope, bigEndianReplies, maskedSizes, mask(bytes));
    }

    private static int mask(int... sizes) {
        int mask = 0;
        for (int bytes : sizes) {
            if (bytes < SMALLEST || bytes > LARGEST || Integer.bitCount(bytes) != 1) {
                throw new IllegalArgumentException(
                        "atomics of " + bytes + " bytes; powers of two from 4 to 256 are allowed");
            }
            mask |= bytes;
        }
        return mask;
    }

    /** The sizes that a mask stands for, in bytes. */
    public static SortedSet<Integer> sizes(int mask) {
        return IntStream.rangeClosed(0, 30)
                .map(bit -> mask & 1 << bit)
                .filter(size -> size != 0)
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AtomicCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "AtomicCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(scope, bigEndianReplies, maskedSizes, networkOrderSizes);
    }
}
