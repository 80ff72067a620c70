// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * Scope within which an adapter's operations are atomic ({@code ibv_atomic_cap}); {@link #code()} is the value in that C
 * enum. These are all that there are.
 */
public enum AtomicScope {
    /** No atomics. */
    NONE(0),

    /** Among all queue pairs of one adapter. A concurrent store by the host or another adapter is lost. */
    HCA(1),

    /** Among all adapters and the host's processors, if those use atomic instructions of up to 8 bytes. */
    GLOBAL(2);

    private final int code;

    AtomicScope(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
