// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.nio.ByteOrder;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Atomic operations that an adapter supports: plain ones, {@link org.hcaactors.api.work.CompareAndSwap} and {@link
 * org.hcaactors.api.work.FetchAdd}, and masked ones, {@link org.hcaactors.api.work.MaskedCompareAndSwap} and {@link
 * org.hcaactors.api.work.MaskedFetchAdd}.
 *
 * <p>A set of sizes is a bit mask that is the sum of the sizes in bytes: {@code 0x8} is 8 bytes, {@code 0x3c} is 4, 8, 16 and
 * 32 (as {@code log_atomic_arg_sizes}, despite its name).
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class AtomicCapabilities {
    /** No atomics: posting one is EOPNOTSUPP, and a peer's request is refused. */
    public static final AtomicCapabilities NONE = new AtomicCapabilities(AtomicScope.NONE, false, 0, 0);

    /** Log2 of the maximum operand size in a request ({@code log_max_atomic_inline} is at most 6). */
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

    /** True if 8-byte compare-and-swap and fetch-and-add are supported. */
    public boolean eightBytes() {
        return scope != AtomicScope.NONE;
    }

    /** Scope of atomicity; NONE if there are no atomics. */
    public AtomicScope scope() {
        return scope;
    }

    /**
     * True if results of plain (unmasked) atomics are big-endian in the requester's memory, regardless of the host's byte order
     * ({@code IBV_EXP_ATOMIC_HCA_REPLY_BE}). On a little-endian host the standard query then reports {@link AtomicScope#NONE},
     * and posting an atomic is EINVAL unless the queue pair {@linkplain
     * org.hcaactors.api.queue.QpDescription#withBigEndianReplies accepts big-endian results}.
     */
    public boolean bigEndianReplies() {
        return bigEndianReplies;
    }

    // rule atomic-standard-query
    /**
     * Returns the scope that the standard query reports on a host with this byte order: NONE if results are in another byte
     * order, which the query cannot express.
     */
    public AtomicScope standardScope(ByteOrder host) {
        return repliesSwappedOn(host) ? AtomicScope.NONE : scope;
    }

    /** True if results of plain atomics are not in this host byte order. */
    public boolean repliesSwappedOn(ByteOrder host) {
        return eightBytes() && bigEndianReplies && host != ByteOrder.BIG_ENDIAN;
    }

    /** Mask of the sizes of masked atomics ({@code masked_log_atomic_arg_sizes}); 0 for none. */
    public int maskedSizes() {
        return maskedSizes;
    }

    /** True if masked atomics of this size are supported. */
    public boolean hasMasked(int bytes) {
        return Integer.bitCount(bytes) == 1 && (maskedSizes & bytes) != 0;
    }

    /**
     * Mask of the sizes of masked atomics whose results are big-endian also on a little-endian host ({@code
     * masked_log_atomic_arg_sizes_network_endianness}).
     */
    public int networkOrderSizes() {
        return networkOrderSizes;
    }

    // rule atomic-reply-order
    /** Returns the byte order of each 8-byte word of a masked atomic's result in the memory of a host with the given order. */
    public ByteOrder maskedReplyOrder(int bytes, ByteOrder host) {
        return bigEndianReplies || (networkOrderSizes & bytes) != 0 ? ByteOrder.BIG_ENDIAN : host;
    }

    /** Log2 of the maximum operand size of a masked atomic ({@code log_max_atomic_inline}), at most 6; 0 for none. */
    public int logMaxInline() {
        return maskedSizes == 0 ? 0 : Math.min(MAX_INLINE_LOG, 31 - Integer.numberOfLeadingZeros(maskedSizes));
    }

    /** Operand width in bits within which fields of a masked fetch-and-add may end ({@code max_fa_bit_boundary}); 0 for none. */
    public int maxFetchAddBoundary() {
        return maskedSizes == 0 ? 0 : Long.SIZE;
    }

    /** Adds or removes plain atomics. If added, the scope is {@link AtomicScope#HCA} unless a scope is already set. */
    public AtomicCapabilities withEightBytes(boolean supported) {
        AtomicScope kept = scope == AtomicScope.NONE ? AtomicScope.HCA : scope;
        return withScope(supported ? kept : AtomicScope.NONE);
    }

    /** Sets the scope; {@link AtomicScope#NONE} also removes the masked atomics. */
    public AtomicCapabilities withScope(AtomicScope other) {
        return other == AtomicScope.NONE
                ? NONE
                : new AtomicCapabilities(other, bigEndianReplies, maskedSizes, networkOrderSizes);
    }

    public AtomicCapabilities withBigEndianReplies(boolean bigEndian) {
        return new AtomicCapabilities(scope, bigEndian, maskedSizes, networkOrderSizes);
    }

    /**
     * Sets the sizes of masked atomics; results of all sizes but 8 bytes are in network order, as on ConnectX.
     * IllegalArgumentException unless sizes are powers of two from 4 to 256 and the adapter has plain atomics. Sizes above 64
     * bytes are reported, as by real adapters, but cannot be posted: a request carries its operands {@linkplain #logMaxInline
     * inline}.
     */
    public AtomicCapabilities withMaskedSizes(int... bytes) {
        int mask = mask(bytes);
        if (mask != 0 && scope == AtomicScope.NONE) {
            throw new IllegalArgumentException(
                    "the atomic scope is NONE; an adapter with masked atomics requires another scope");
        }
        return new AtomicCapabilities(scope, bigEndianReplies, mask, mask & ~Long.BYTES);
    }

    /** Sets the sizes whose results are in network order; sizes as for {@link #withMaskedSizes}. */
    public AtomicCapabilities withNetworkOrderSizes(int... bytes) {
        return new AtomicCapabilities(scope, bigEndianReplies, maskedSizes, mask(bytes));
    }

    private static int mask(int... sizes) {
        int mask = 0;
        for (int bytes : sizes) {
            if (bytes < SMALLEST || bytes > LARGEST || Integer.bitCount(bytes) != 1) {
                throw new IllegalArgumentException(
                        "the size of an atomic is " + bytes + " bytes; powers of two from 4 to 256 are allowed");
            }
            mask |= bytes;
        }
        return mask;
    }

    /** Returns the sizes in a mask, in bytes. */
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
