// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * As which adapters our machines play the ends of a capture.
 *
 * @param known those that the capture tells, by the address of the port
 * @param otherwise of all others
 */
record Profiles(Map<PortAddress, Profile> known, Profile otherwise) {
    Profiles {
        known = Map.copyOf(known);
    }

    Profile at(PortAddress port) {
        return known.getOrDefault(port, otherwise);
    }

    /** Of those that play an end, in order. */
    SortedSet<String> namesAt(Collection<PortAddress> ports) {
        SortedSet<String> names = new TreeSet<>();
        ports.forEach(port -> names.add(at(port).name()));
        return names;
    }
}
