package org.hcaactors.fabric.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.packet.PortAddress;

/** Who takes part in which multicast group, in the order of joining. */
final class MulticastGroups {
    /** For each member whether its own datagrams don't come back to it. */
    private final Map<PortAddress, Map<Endpoint, Boolean>> groups = new LinkedHashMap<>();

    /** @param blockOwn the endpoint does not get its own datagrams */
    void join(PortAddress group, Endpoint endpoint, boolean blockOwn) {
        groups.computeIfAbsent(group, absent -> new LinkedHashMap<>()).put(endpoint, blockOwn);
    }

    /** False if the endpoint takes no part in the group. */
    boolean leave(PortAddress group, Endpoint endpoint) {
        Map<Endpoint, Boolean> members = groups.get(group);
        boolean left = members != null && members.remove(endpoint) != null;
        if (members != null && members.isEmpty()) {
            groups.remove(group);
        }
        return left;
    }

    void leaveAll(Endpoint endpoint) {
        List.copyOf(groups.keySet()).forEach(group -> leave(group, endpoint));
    }

    /** Who gets what {@code sender} sends to the group. */
    List<Endpoint> receiversOf(PortAddress group, Endpoint sender) {
        return groups.getOrDefault(group, Map.of()).entrySet().stream()
                .filter(member -> !(member.getKey() == sender && member.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
