// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

/** What has a key in a protection domain, as the caller's side of others knows it. */
public interface DomainKey {
    /** Number of its protection domain. */
    int domain();

    /** Its context. */
    KeyOwner owner();

    /** Its addresses count from its first byte. */
    default boolean isZeroBased() {
        return false;
    }

    /** It is of a kind that a window may show a part of. */
    default boolean isBindable() {
        return true;
    }
}
