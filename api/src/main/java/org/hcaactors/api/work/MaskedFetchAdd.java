// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * Atomic fetch and add of several fields ({@code EXT_MASKED_ATOMIC_FETCH_AND_ADD}). A 1 in {@link #boundary} marks the most
 * significant bit of a field: no carry leaves it. So a boundary of 0 adds one number, modulo its size, and all ones is an
 * exclusive or. The previous value is scattered to {@link #local}, in the byte order described there.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class MaskedFetchAdd implements RcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final AtomicValue add;
    private final AtomicValue boundary;
    private final SendFlags flags;

    private MaskedFetchAdd(
            long id,
            List<LocalSlice> local,
            RemoteAddress remote,
            AtomicValue add,
            AtomicValue boundary,
            SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.add = add;
        this.boundary = boundary;
        this.flags = flags;
        if (add.sizeBytes() != boundary.sizeBytes()) {
            throw new IllegalArgumentException(
                    "the values have %d and %d bytes; values of one atomic have the same size"
                            .formatted(add.sizeBytes(), boundary.sizeBytes()));
        }
    }

    /** One field: adds modulo 2 to the power of the number of bits of {@code add}. */
    public static MaskedFetchAdd of(long id, LocalSlice local, RemoteAddress remote, AtomicValue add) {
        return of(id, List.of(local), remote, add);
    }

    /** One field: adds modulo 2 to the power of the number of bits of {@code add}. */
    public static MaskedFetchAdd of(long id, List<LocalSlice> local, RemoteAddress remote, AtomicValue add) {
        return new MaskedFetchAdd(id, local, remote, add, AtomicValue.zeros(add.sizeBytes()), SendFlags.NONE);
    }

    /** One field of 8 bytes: adds modulo 2^64. */
    public static MaskedFetchAdd of(long id, LocalSlice local, RemoteAddress remote, long add) {
        return of(id, local, remote, AtomicValue.ofLong(add));
    }

    /** Bitwise exclusive or of the peer's value with {@code value}. */
    public static MaskedFetchAdd xor(long id, LocalSlice local, RemoteAddress remote, AtomicValue value) {
        return of(id, local, remote, value).withBoundary(AtomicValue.ones(value.sizeBytes()));
    }

    /** Bitwise exclusive or of the peer's 8-byte value with {@code value}. */
    public static MaskedFetchAdd xor(long id, LocalSlice local, RemoteAddress remote, long value) {
        return xor(id, local, remote, AtomicValue.ofLong(value));
    }

    /**
     * Sets the boundaries of fields; IllegalArgumentException for a value of another size.
     *
     * @param mostSignificantBits a 1 for the most significant bit of each field; the most significant bit of the value is always
     *     a boundary
     */
    public MaskedFetchAdd withBoundary(AtomicValue mostSignificantBits) {
        return new MaskedFetchAdd(id, local, remote, add, mostSignificantBits, flags);
    }

    /** Sets the boundaries of fields in an 8-byte value; IllegalArgumentException if the values have another size. */
    public MaskedFetchAdd withBoundary(long mostSignificantBits) {
        return withBoundary(AtomicValue.ofLong(mostSignificantBits));
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

    /** Size of the peer's value and of both operands. */
    public int sizeBytes() {
        return add.sizeBytes();
    }

    public AtomicValue add() {
        return add;
    }

    /** A 1 for the most significant bit of each field. */
    public AtomicValue boundary() {
        return boundary;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public MaskedFetchAdd withFlags(SendFlags other) {
        return new MaskedFetchAdd(id, local, remote, add, boundary, other);
    }

    public MaskedFetchAdd withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public MaskedFetchAdd withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MaskedFetchAdd same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "MaskedFetchAdd" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, add, boundary, flags);
    }
}
