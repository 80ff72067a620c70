// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.memory;

import org.hcaactors.api.memory.Access;

/** Why a key does not serve a use (rules memory-domain, memory-right-of-verb, memory-each-packet). */
public sealed interface Denial extends Lease.Answer {
    /** @param key the key's name */
    String words(String key);

    /** Nobody answers for the key. */
    record Unregistered() implements Denial {
        @Override
        public String words(String key) {
            return key + " is not registered, or not any more";
        }
    }

    /** @param needed number of the protection domain of the user */
    record ForeignDomain(int domain, int needed) implements Denial {
        @Override
        public String words(String key) {
            return key + " belongs to protection domain " + domain + "; " + needed + " is needed";
        }
    }

    /**
     * @param address first address that the key covers
     * @param from first address that was wanted
     */
    record OutOfRange(long address, long lengthBytes, long from, long count) implements Denial {
        @Override
        public String words(String key) {
            return key + " covers " + lengthBytes
                    + " bytes from 0x%x; %d from 0x%x are not inside".formatted(address, count, from);
        }
    }

    record MissingRight(Access right) implements Denial {
        @Override
        public String words(String key) {
            return key + " does not allow " + right;
        }
    }
}
