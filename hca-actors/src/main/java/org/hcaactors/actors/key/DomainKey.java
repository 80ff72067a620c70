// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

/** An object with a key in a protection domain, as used by other handles. */
public interface DomainKey {
    /** Returns the number of its protection domain. */
    int domain();

    /** Returns its context. */
    KeyOwner owner();

    /** True if its addresses count from its first byte. */
    default boolean isZeroBased() {
        return false;
    }

    /** True if a window can be bound to it. */
    default boolean isBindable() {
        return true;
    }
}
