// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * Atomic compare and swap of selected bits ({@code EXT_MASKED_ATOMIC_CMP_AND_SWP}): if the peer's value equals {@link #compare}
 * in all bits of {@link #compareMask}, the bits of {@link #swapMask} are set to those of {@link #swap}, and others are
 * unchanged. The previous value is scattered to {@link #local}, in the byte order described there, whether the value changed or
 * not.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class MaskedCompareAndSwap implements RcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final AtomicValue compare;
    private final AtomicValue compareMask;
    private final AtomicValue swap;
    private final AtomicValue swapMask;
    private final SendFlags flags;

    private MaskedCompareAndSwap(
            long id,
            List<LocalSlice> local,
            RemoteAddress remote,
            AtomicValue compare,
            AtomicValue compareMask,
            AtomicValue swap,
            AtomicValue swapMask,
            SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.compare = compare;
        this.compareMask = compareMask;
        this.swap = swap;
        this.swapMask = swapMask;
        this.flags = flags;
        if (List.of(compareMask, swap, swapMask).stream().anyMatch(each -> each.sizeBytes() != compare.sizeBytes())) {
            throw new IllegalArgumentException(
                    "the values have %d, %d, %d and %d bytes; values of one atomic have the same size"
                            .formatted(
                                    compare.sizeBytes(),
                                    compareMask.sizeBytes(),
                                    swap.sizeBytes(),
                                    swapMask.sizeBytes()));
        }
    }

    /** Compares all bits and swaps all bits; IllegalArgumentException for values of different sizes, as in the methods below. */
    public static MaskedCompareAndSwap of(
            long id, LocalSlice local, RemoteAddress remote, AtomicValue compare, AtomicValue swap) {
        return of(id, List.of(local), remote, compare, swap);
    }

    /** Compares all bits and swaps all bits. */
    public static MaskedCompareAndSwap of(
            long id, List<LocalSlice> local, RemoteAddress remote, AtomicValue compare, AtomicValue swap) {
        AtomicValue all = AtomicValue.ones(compare.sizeBytes());
        return new MaskedCompareAndSwap(id, local, remote, compare, all, swap, all, SendFlags.NONE);
    }

    /** Compares and swaps all bits of an 8-byte value. */
    public static MaskedCompareAndSwap of(long id, LocalSlice local, RemoteAddress remote, long compare, long swap) {
        return of(id, local, remote, AtomicValue.ofLong(compare), AtomicValue.ofLong(swap));
    }

    /** Sets the peer's value to {@code value} unconditionally. */
    public static MaskedCompareAndSwap swap(long id, LocalSlice local, RemoteAddress remote, AtomicValue value) {
        AtomicValue none = AtomicValue.zeros(value.sizeBytes());
        return of(id, local, remote, none, value).withCompareMask(none);
    }

    /** Sets the peer's 8-byte value to {@code value} unconditionally. */
    public static MaskedCompareAndSwap swap(long id, LocalSlice local, RemoteAddress remote, long value) {
        return swap(id, local, remote, AtomicValue.ofLong(value));
    }

    /** Bitwise and of the peer's value with {@code value}. */
    public static MaskedCompareAndSwap and(long id, LocalSlice local, RemoteAddress remote, AtomicValue value) {
        return swap(id, local, remote, value).withSwapMask(value.not());
    }

    /** Bitwise and of the peer's 8-byte value with {@code value}. */
    public static MaskedCompareAndSwap and(long id, LocalSlice local, RemoteAddress remote, long value) {
        return and(id, local, remote, AtomicValue.ofLong(value));
    }

    /** Bitwise or of the peer's value with {@code value}. */
    public static MaskedCompareAndSwap or(long id, LocalSlice local, RemoteAddress remote, AtomicValue value) {
        return swap(id, local, remote, value).withSwapMask(value);
    }

    /** Bitwise or of the peer's 8-byte value with {@code value}. */
    public static MaskedCompareAndSwap or(long id, LocalSlice local, RemoteAddress remote, long value) {
        return or(id, local, remote, AtomicValue.ofLong(value));
    }

    /** Compares only these bits. */
    public MaskedCompareAndSwap withCompareMask(AtomicValue mask) {
        return with(mask, swapMask);
    }

    /** Compares only these bits of an 8-byte value; IllegalArgumentException if the values have another size. */
    public MaskedCompareAndSwap withCompareMask(long mask) {
        return withCompareMask(AtomicValue.ofLong(mask));
    }

    /** Changes only these bits. */
    public MaskedCompareAndSwap withSwapMask(AtomicValue mask) {
        return with(compareMask, mask);
    }

    /** Changes only these bits of an 8-byte value; IllegalArgumentException if the values have another size. */
    public MaskedCompareAndSwap withSwapMask(long mask) {
        return withSwapMask(AtomicValue.ofLong(mask));
    }

    private MaskedCompareAndSwap with(AtomicValue newCompareMask, AtomicValue newSwapMask) {
        return new MaskedCompareAndSwap(id, local, remote, compare, newCompareMask, swap, newSwapMask, flags);
    }

    @Override
    public long id() {
        return id;
    }

    /**
     * As many bytes as the values have; its keys need LOCAL_WRITE. On ConnectX a result of 4, 16, 32 or 64 bytes is big-endian,
     * also on a little-endian host, and one of 8 bytes is in host order: see {@link AtomicValue#read}.
     */
    @Override
    public List<LocalSlice> local() {
        return local;
    }

    /** Address of the value, a multiple of {@link #sizeBytes}. */
    public RemoteAddress remote() {
        return remote;
    }

    /** Size of the peer's value and of all four operands. */
    public int sizeBytes() {
        return compare.sizeBytes();
    }

    public AtomicValue compare() {
        return compare;
    }

    public AtomicValue compareMask() {
        return compareMask;
    }

    public AtomicValue swap() {
        return swap;
    }

    public AtomicValue swapMask() {
        return swapMask;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public MaskedCompareAndSwap withFlags(SendFlags other) {
        return new MaskedCompareAndSwap(id, local, remote, compare, compareMask, swap, swapMask, other);
    }

    public MaskedCompareAndSwap withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public MaskedCompareAndSwap withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MaskedCompareAndSwap same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "MaskedCompareAndSwap" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, compare, compareMask, swap, swapMask, flags);
    }
}
