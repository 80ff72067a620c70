// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.tag.ReturnAddress;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.PortAddress;

/** Where a request goes, so far as it brings that: checked when it was posted. */
public sealed interface Destination {
    /**
     * To a receiver of its own.
     *
     * @param qpNumber of the receiver, 24 bits
     * @param qkey as the caller gave it
     */
    record Datagram(DatagramPath path, int qpNumber, int qkey) implements Destination {}

    /**
     * To a target that is connected to when it is its turn.
     *
     * @param target its number, 24 bits
     * @param accessKey of the target
     * @param stream 16 bits
     */
    record Dynamic(DatagramPath path, int target, long accessKey, int stream) implements Destination {
        // rule rendezvous-dc
        /**
         * To who left data behind. From the first entry of the port's table that is of the same version of IP; VerbsException (EINVAL)
         * where there is none.
         */
        public static Dynamic backTo(ReturnAddress back, int domain, LocalPort port) {
            PortAddress peer = back.port();
            GlobalRoute route =
                    GlobalRoute.to(new Gid(peer.high(), peer.low())).withSourceGidIndex(port.indexOf(peer.isIpv4()));
            DatagramPath path = DatagramPath.of(AddressVector.to(route), domain, port);
            return new Dynamic(path, back.target().target(), back.target().accessKey(), 0);
        }

        /** One connection serves both (rule dc-reuse). */
        public boolean isSame(Dynamic other) {
            return target == other.target
                    && accessKey == other.accessKey
                    && stream == other.stream
                    && path.equals(other.path);
        }
    }

    /**
     * To the connection's peer, where something else is named first.
     *
     * @param leading headers of each of its packets
     */
    record Named(List<ExtendedHeader> leading) implements Destination {
        /** The shared receive queue of that number, 24 bits (rule xrc-named). */
        public static Named sharedReceives(int number) {
            return new Named(List.of(new ExtendedHeader.XrcEth(0, number)));
        }
    }
}
