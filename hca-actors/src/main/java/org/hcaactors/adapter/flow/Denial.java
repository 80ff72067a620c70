// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;

/** Why a key does not serve a use (rules memory-domain, memory-right-of-verb, memory-each-packet). */
public sealed interface Denial {
    /** Nobody answers for the key. */
    record Unregistered() implements Denial {}

    /** @param needed number of the protection domain of who uses it */
    record ForeignDomain(int domain, int needed) implements Denial {}

    /**
     * @param address first address that the key covers
     * @param from first address that was wanted
     */
    record OutOfRange(long address, long lengthBytes, long from, long count) implements Denial {}

    record MissingRight(Access right) implements Denial {}
}
