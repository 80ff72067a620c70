// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.lab.profile.ProfileText;

/**
 * As which adapters our machines play the ends of a capture.
 *
 * @param known those that the capture tells, by the address of the port
 * @param otherwise of all others
 */
record Profiles(Map<PortAddress, Profile> known, Profile otherwise) {
    private static final int MAX_DEPTH = 128;

    Profiles {
        known = Map.copyOf(known);
    }

    Profile at(PortAddress port) {
        return known.getOrDefault(port, otherwise);
    }

    /** READs and atomics at a time, none of which a captured end was refused; as many as ours can have. */
    int depthAt(PortAddress port) {
        QueueCapabilities can = at(port).queues();
        return Math.min(MAX_DEPTH, Math.min(can.maxRdAtomic(), can.maxDestRdAtomic()));
    }

    /** Of those that play an end, in order, each with what differs from its model. */
    SortedSet<String> namesAt(Collection<PortAddress> ports) {
        SortedSet<String> names = new TreeSet<>();
        ports.forEach(port -> names.add(ProfileText.of(at(port))));
        return names;
    }
}
