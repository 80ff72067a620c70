// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * A right: something that a memory key lets requests do, or a queue pair its peer; values are those of {@code
 * ibv_access_flags}. Local read is always allowed. What else can be asked for when memory is registered (how it is
 * addressed, paged, ordered) is no right, and stands beside the rights in the {@link Registration}, though C puts both
 * into one number.
 *
 * <p>More rights will follow: a switch over them wants a default.
 */
public enum Access {
    LOCAL_WRITE(0x1),
    REMOTE_WRITE(0x2),
    REMOTE_READ(0x4),
    REMOTE_ATOMIC(0x8),

    /** Windows may be bound to the region; no request needs it, and a queue pair that is given it gives its peer nothing. */
    MW_BIND(0x10);

    private final long bit;

    Access(long bit) {
        this.bit = bit;
    }

    public long bit() {
        return bit;
    }
}
