package org.hcaactors.api.memory;

/** What a memory key allows; values are those of {@code ibv_access_flags}. Local read is always allowed. */
public enum Access {
    LOCAL_WRITE(0x1),
    REMOTE_WRITE(0x2),
    REMOTE_READ(0x4),
    REMOTE_ATOMIC(0x8);

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    public int bit() {
        return bit;
    }
}
