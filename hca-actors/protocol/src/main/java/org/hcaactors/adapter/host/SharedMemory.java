// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Permission;

/** Shared regions of one host, by number. Safe for several threads. */
public final class SharedMemory {
    /** Memory that other processes may register. */
    public record Offer(MappedMemory memory, Credentials owner, Set<Permission> permissions) {
        // rule memory-shared
        /**
         * True if the permissions allow the access. The first of user, group and others that applies decides, as for files;
         * root may do everything.
         */
        public boolean lets(Credentials credentials, boolean writes) {
            if (credentials.isRoot()) {
                return true;
            }
            Permission needed;
            if (credentials.user() == owner.user()) {
                needed = writes ? Permission.USER_WRITE : Permission.USER_READ;
            } else if (credentials.isIn(owner.group())) {
                needed = writes ? Permission.GROUP_WRITE : Permission.GROUP_READ;
            } else {
                needed = writes ? Permission.OTHER_WRITE : Permission.OTHER_READ;
            }
            return permissions.contains(needed);
        }
    }

    private final Map<Integer, Offer> offers = new LinkedHashMap<>();
    private int numbers;

    /** Returns a region number that is never used again. */
    public synchronized int nextNumber() {
        return ++numbers;
    }

    public synchronized void offer(int number, Offer offer) {
        offers.put(number, offer);
    }

    public synchronized void withdraw(int number) {
        offers.remove(number);
    }

    /** Returns the shared region; VerbsException (EINVAL) if no region of that number is shared now. */
    public synchronized Offer find(int number) {
        Offer found = offers.get(number);
        if (found == null) {
            throw VerbsException.invalid("no region with number " + number + " is shared on this host");
        }
        return found;
    }
}
