// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.tag.ReturnAddress;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.mutation.MutationPoint;

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
         * To who left data behind. From the first entry of the port's table that is of the same version of IP; empty where there is
         * none.
         */
        public static Optional<Dynamic> backTo(ReturnAddress back, int domain, LocalPort port) {
            OptionalInt from = port.indexOf(back.port().isIpv4());
            return from.isEmpty() ? Optional.empty() : Optional.of(backTo(back, from.getAsInt(), domain, port));
        }

        @MutationPoint("destination.dynamic.back-to")
        private static Dynamic backTo(ReturnAddress back, int sourceIndex, int domain, LocalPort port) {
            DatagramPath path = DatagramPath.back(back.port(), sourceIndex, domain, port);
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
