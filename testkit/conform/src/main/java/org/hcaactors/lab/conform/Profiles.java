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
 * Profiles of the machines at the ends of a capture.
 *
 * @param known those in the capture, by the address of the port
 * @param otherwise for all others
 */
record Profiles(Map<PortAddress, Profile> known, Profile otherwise) {
    private static final int MAX_DEPTH = 128;

    Profiles {
        known = Map.copyOf(known);
    }

    Profile at(PortAddress port) {
        return known.getOrDefault(port, otherwise);
    }

    /** Returns the number of concurrent READs and atomics: large enough for any captured end, at most that of the profile. */
    int depthAt(PortAddress port) {
        QueueCapabilities can = at(port).queues();
        return Math.min(MAX_DEPTH, Math.min(can.maxRdAtomic(), can.maxDestRdAtomic()));
    }

    /** Returns the names of the profiles in use, sorted, each with its differences from the model. */
    SortedSet<String> namesAt(Collection<PortAddress> ports) {
        SortedSet<String> names = new TreeSet<>();
        ports.forEach(port -> names.add(ProfileText.of(at(port))));
        return names;
    }
}
