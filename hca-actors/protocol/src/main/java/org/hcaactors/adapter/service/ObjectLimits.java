// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import java.util.EnumMap;
import java.util.Map;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

// rule event-object-limits
/**
 * Numbers of an adapter's objects in use, for the kinds that have a limit and neither a number on the fabric nor a memory key.
 * Any thread.
 */
public final class ObjectLimits {
    private final Map<ObjectKind, Integer> max = new EnumMap<>(ObjectKind.class);
    private final Map<ObjectKind, Integer> inUse = new EnumMap<>(ObjectKind.class);
    private final MulticastLimits multicast;

    public ObjectLimits(ObjectCapabilities objects) {
        max.put(ObjectKind.COMPLETION_QUEUE, objects.maxCompletionQueues());
        max.put(ObjectKind.SHARED_RECEIVE_QUEUE, objects.maxSharedReceiveQueues());
        max.put(ObjectKind.DOMAIN, objects.maxDomains());
        max.put(ObjectKind.ADDRESS_HANDLE, objects.maxAddressHandles());
        multicast = new MulticastLimits(objects);
    }

    /** Counts an object that is about to be created; VerbsException (ENOMEM) if there are as many as are allowed. */
    public synchronized void take(ObjectKind kind) {
        int now = inUse.getOrDefault(kind, 0);
        Integer limit = max.get(kind);
        if (limit != null && now >= limit) {
            throw beyond(kind, limit);
        }
        inUse.put(kind, now + 1);
    }

    /** Returns the refusal of one object more than {@code max}. */
    public static VerbsException beyond(ObjectKind kind, int max) {
        return new VerbsException(Errno.ENOMEM, "all " + max + " " + kind.plural() + " of the adapter are in use");
    }

    /** Takes an object out of the count that was not created, or is destroyed; to be called once for each {@link #take}. */
    public synchronized void free(ObjectKind kind) {
        inUse.merge(kind, -1, Integer::sum);
    }

    public MulticastLimits multicast() {
        return multicast;
    }
}
