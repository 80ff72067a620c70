// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;

/**
 * SEND, or SEND with immediate: the peer's next receive takes the message.
 *
 * <p>Immutable.
 *
 * @param immediate handed to the peer's completion, 32 bits
 */
public record Send(long id, List<LocalSlice> local, OptionalInt immediate, SendFlags flags)
        implements RcWork, UcWork, UdWork {
    public Send {
        local = List.copyOf(local);
    }

    public static Send of(long id, LocalSlice... local) {
        return new Send(id, List.of(local), OptionalInt.empty(), SendFlags.NONE);
    }

    public Send withImmediate(int value) {
        return new Send(id, local, OptionalInt.of(value), flags);
    }

    @Override
    public Send withFlags(SendFlags other) {
        return new Send(id, local, immediate, other);
    }

    public Send signaled() {
        return withFlags(flags.withSignaled());
    }

    public Send solicited() {
        return withFlags(flags.withSolicited());
    }

    public Send fenced() {
        return withFlags(flags.withFence());
    }

    public Send inline() {
        return withFlags(flags.withInline());
    }
}
