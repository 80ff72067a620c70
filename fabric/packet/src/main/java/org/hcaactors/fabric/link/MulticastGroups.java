// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.PortAddress;

/** Members of the multicast groups, in the order of joining (rule ud-multicast). */
final class MulticastGroups {
    /** For each member, whether its own datagrams are blocked. */
    private final Map<PortAddress, Map<Endpoint, Boolean>> groups = new LinkedHashMap<>();

    /** The same by member, so that removing one does not search every group. */
    private final Map<Endpoint, Set<PortAddress>> memberships = new LinkedHashMap<>();

    /** Receives the datagrams to every group, but for its own. */
    private Optional<Endpoint> border = Optional.empty();

    /** Makes the endpoint receive the datagrams to every group, but for its own. */
    void border(Endpoint endpoint) {
        border = Optional.of(endpoint);
    }

    /** @param blockLoopback the endpoint does not receive its own datagrams */
    void join(PortAddress group, Endpoint endpoint, boolean blockLoopback) {
        groups.computeIfAbsent(group, absent -> new LinkedHashMap<>()).put(endpoint, blockLoopback);
        memberships.computeIfAbsent(endpoint, absent -> new LinkedHashSet<>(2)).add(group);
    }

    /** Removes the endpoint from the group; false if it is not a member. */
    boolean leave(PortAddress group, Endpoint endpoint) {
        Set<PortAddress> joined = memberships.get(endpoint);
        if (joined == null || !joined.remove(group)) {
            return false;
        }
        if (joined.isEmpty()) {
            memberships.remove(endpoint);
        }
        forget(group, endpoint);
        return true;
    }

    void leaveAll(Endpoint endpoint) {
        border = border.filter(end -> end != endpoint);
        Set<PortAddress> joined = memberships.remove(endpoint);
        if (joined != null) {
            joined.forEach(group -> forget(group, endpoint));
        }
    }

    private void forget(PortAddress group, Endpoint endpoint) {
        groups.computeIfPresent(group, (known, members) -> {
            members.remove(endpoint);
            return members.isEmpty() ? null : members;
        });
    }

    boolean hasMember(PortAddress group, Endpoint endpoint) {
        return memberships.getOrDefault(endpoint, Set.of()).contains(group);
    }

    /** Returns the receivers of a datagram from {@code sender} to the group. */
    List<Endpoint> receiversOf(PortAddress group, Endpoint sender) {
        Stream<Endpoint> members = groups.getOrDefault(group, Map.of()).entrySet().stream()
                .filter(member -> !(member.getKey() == sender && member.getValue()))
                .map(Map.Entry::getKey);
        return Stream.concat(members, border.filter(end -> end != sender).stream())
                .toList();
    }
}
