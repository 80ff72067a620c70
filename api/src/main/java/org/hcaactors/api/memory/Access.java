// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * A right that a memory key gives to requests, or a queue pair to its peer; values are those of {@code ibv_access_flags}. Local
 * read is always allowed. Other registration options (addressing, paging, ordering) are not rights and are set in {@link
 * Registration}, although C puts both into one number.
 *
 * <p>More rights will follow: a switch over them wants a default.
 */
public enum Access {
    LOCAL_WRITE(0x1),
    REMOTE_WRITE(0x2),
    REMOTE_READ(0x4),
    REMOTE_ATOMIC(0x8),

    /** Windows may be bound to the region. No request needs it, and for a queue pair it gives the peer nothing. */
    MW_BIND(0x10);

    private final long bit;

    Access(long bit) {
        this.bit = bit;
    }

    public long bit() {
        return bit;
    }
}
