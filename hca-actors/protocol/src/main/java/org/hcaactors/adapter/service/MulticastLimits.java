// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.PortAddress;

// rule ud-multicast-limits
/** Attachments of an adapter's queue pairs to multicast groups. The fabric delivers to them; this only counts. Any thread. */
public final class MulticastLimits {
    private final ObjectCapabilities objects;

    /** Number of attached queue pairs of each group. */
    private final Map<PortAddress, Integer> members = new LinkedHashMap<>();

    /** Groups of each attached queue pair. */
    private final Map<Integer, Set<PortAddress>> joined = new LinkedHashMap<>();

    private int memberships;

    MulticastLimits(ObjectCapabilities objects) {
        this.objects = objects;
    }

    /** Counts an attachment, once for each queue pair and group. VerbsException (ENOMEM) beyond a limit. */
    public synchronized void attach(PortAddress group, int queuePair) {
        if (joined.getOrDefault(queuePair, Set.of()).contains(group)) {
            return;
        }
        int there = members.getOrDefault(group, 0);
        if (there == 0 && members.size() >= objects.maxMulticastGroups()) {
            throw full("the adapter's queue pairs are attached to " + members.size() + " multicast groups");
        }
        if (there >= objects.maxGroupMembers()) {
            throw full(there + " queue pairs of the adapter are attached to multicast group " + group);
        }
        if (memberships >= objects.maxMemberships()) {
            throw full("the adapter has " + memberships + " attachments of queue pairs to multicast groups");
        }
        joined.computeIfAbsent(queuePair, absent -> new LinkedHashSet<>(2)).add(group);
        members.put(group, there + 1);
        memberships++;
    }

    private static VerbsException full(String what) {
        return new VerbsException(Errno.ENOMEM, what + ", which is the maximum");
    }

    /** Takes an attachment out of the count; no effect if there is none. */
    public synchronized void detach(PortAddress group, int queuePair) {
        Set<PortAddress> groups = joined.getOrDefault(queuePair, Set.of());
        if (groups.contains(group)) {
            groups.remove(group);
            forget(group);
        }
        if (groups.isEmpty()) {
            joined.remove(queuePair);
        }
    }

    /** The queue pair is destroyed, with its attachments. */
    public synchronized void gone(int queuePair) {
        Set<PortAddress> groups = joined.remove(queuePair);
        if (groups != null) {
            groups.forEach(this::forget);
        }
    }

    private void forget(PortAddress group) {
        members.computeIfPresent(group, (same, there) -> there == 1 ? null : there - 1);
        memberships--;
    }
}
