// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Type of a memory window ({@code ibv_mw_type}); {@link #code()} is its value there.
 *
 * <p>These are all that there are.
 */
public enum WindowType {
    /** Bound by a verb of its own, open to every queue pair of its domain; can be bound again at any time. */
    TYPE_1(1),
    /** Bound by a work request, open only to the queue pair that bound it; must be invalidated before it is bound again. */
    TYPE_2(2);

    private final int code;

    WindowType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
