// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;

/** A path ({@code struct ibv_ah_attr}) as words of the contract. */
final class PathWords {
    /** A flow label has 20 bits, and the adapter drops the others of the field: programs give its complement. */
    private static final int FLOW_LABEL = (1 << 20) - 1;

    private PathWords() {}

    /** Reads a path from the words of a block that begin at {@code words}. */
    static AddressVector read(Block words) {
        int port = words.number(Calls.Path.PORT);
        if (!words.isSet(Calls.Path.IS_GLOBAL)) {
            return AddressVector.toLid(words.number(Calls.Path.DLID)).withPort(port);
        }
        Gid destination = words.gid(Calls.Path.DGID_HIGH, Calls.Path.DGID_LOW);
        return AddressVector.to(GlobalRoute.to(destination)
                        .withSourceGidIndex(words.number(Calls.Path.SGID_INDEX))
                        .withFlowLabel(words.number(Calls.Path.FLOW_LABEL) & FLOW_LABEL)
                        .withHopLimit(hopLimit(words))
                        .withTrafficClass(words.number(Calls.Path.TRAFFIC_CLASS)))
                .withPort(port);
    }

    /** The kernel sets the hop limit of a RoCE path by the route to its destination, so that programs may leave 0. */
    private static int hopLimit(Block words) {
        int requested = words.number(Calls.Path.HOP_LIMIT);
        return requested == 0 ? GlobalRoute.DEFAULT_HOP_LIMIT : requested;
    }

    /** Writes a path. */
    static void write(Block words, AddressVector path) {
        words.put(Calls.Path.PORT, path.port());
        words.put(Calls.Path.DLID, path.lid());
        words.put(Calls.Path.IS_GLOBAL, path.route().isPresent());
        path.route().ifPresent(route -> {
            words.put(Calls.Path.DGID_HIGH, route.destination().high());
            words.put(Calls.Path.DGID_LOW, route.destination().low());
            words.put(Calls.Path.SGID_INDEX, route.sourceGidIndex());
            words.put(Calls.Path.FLOW_LABEL, route.flowLabel());
            words.put(Calls.Path.HOP_LIMIT, route.hopLimit());
            words.put(Calls.Path.TRAFFIC_CLASS, route.trafficClass());
        });
    }
}
