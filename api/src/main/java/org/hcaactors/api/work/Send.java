// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;
import org.jspecify.annotations.Nullable;

/**
 * SEND, SEND with immediate, or SEND with invalidate: the message consumes the peer's next receive.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class Send implements RcWork, UcWork, UdWork {
    private final long id;
    private final List<LocalSlice> local;
    private final OptionalInt immediate;
    private final OptionalInt invalidate;
    private final SendFlags flags;

    private Send(long id, List<LocalSlice> local, OptionalInt immediate, OptionalInt invalidate, SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.immediate = immediate;
        this.invalidate = invalidate;
        this.flags = flags;
    }

    public static Send of(long id, LocalSlice... local) {
        return new Send(id, List.of(local), OptionalInt.empty(), OptionalInt.empty(), SendFlags.NONE);
    }

    public static Send of(long id, List<LocalSlice> local) {
        return new Send(id, local, OptionalInt.empty(), OptionalInt.empty(), SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    /** Source. */
    @Override
    public List<LocalSlice> local() {
        return local;
    }

    /** Immediate data for the peer's completion, 32 bits. */
    public OptionalInt immediate() {
        return immediate;
    }

    /** R_Key that the peer's adapter invalidates before the receive completes; empty if none. */
    public OptionalInt invalidate() {
        return invalidate;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    /** Adds immediate data, and removes the key to invalidate: a message can have only one of the two. */
    public Send withImmediate(int value) {
        return new Send(id, local, OptionalInt.of(value), OptionalInt.empty(), flags);
    }

    /**
     * Makes the peer's adapter invalidate this key before its receive completes: the key of a bound window of type 2, or of an
     * indirect key that was created for remote invalidation. Removes immediate data. Only for reliable transports: otherwise
     * posting is EINVAL.
     */
    public Send withInvalidate(int rkey) {
        return new Send(id, local, OptionalInt.empty(), OptionalInt.of(rkey), flags);
    }

    @Override
    public Send withFlags(SendFlags other) {
        return new Send(id, local, immediate, invalidate, other);
    }

    public Send withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public Send withSolicited() {
        return withFlags(flags.withSolicited());
    }

    public Send withFence() {
        return withFlags(flags.withFence());
    }

    public Send withInline() {
        return withFlags(flags.withInline());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Send same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "Send" + values();
    }

    private List<Object> values() {
        return List.of(id, local, immediate, invalidate, flags);
    }
}
