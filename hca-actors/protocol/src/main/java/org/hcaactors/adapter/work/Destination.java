// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.tag.ReturnAddress;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.mutation.MutationPoint;

/** Destination of a request that has one of its own, checked at post. */
public sealed interface Destination {
    /**
     * The receiver of a datagram.
     *
     * @param qpNumber number of the receiver, 24 bits
     * @param qkey Q_Key as given by the caller
     */
    record Datagram(DatagramPath path, int qpNumber, int qkey) implements Destination {}

    /**
     * A DC target, which is connected to when the request is sent.
     *
     * @param target number of the target, 24 bits
     * @param accessKey access key of the target
     * @param stream stream number, 16 bits
     */
    record Dynamic(DatagramPath path, int target, long accessKey, int stream) implements Destination {
        // rule rendezvous-dc
        /**
         * Returns the path to a peer that waits for its data to be fetched, from the first GID table entry of the same IP
         * version; empty if there is none.
         */
        public static Optional<Dynamic> backTo(ReturnAddress back, int domain, LocalPort port) {
            OptionalInt from = port.indexOf(back.port().isIpv4());
            return from.isEmpty() ? Optional.empty() : Optional.of(backTo(back, from.getAsInt(), domain, port));
        }

        @MutationPoint("destination.dynamic.back-to")
        private static Dynamic backTo(ReturnAddress back, int sourceIndex, int domain, LocalPort port) {
            DatagramPath path = DatagramPath.back(back.port(), sourceIndex, domain, port);
            return new Dynamic(
                    path, back.target().dctNumber(), back.target().accessKey().value(), 0);
        }

        /** True if one connection serves both destinations (rule dc-reuse). */
        public boolean isSame(Dynamic other) {
            return target == other.target
                    && accessKey == other.accessKey
                    && stream == other.stream
                    && path.equals(other.path);
        }
    }

    /**
     * The connection's peer, with leading headers that select the receiver.
     *
     * @param leading headers at the start of each packet
     */
    record Named(List<ExtendedHeader> leading) implements Destination {
        /** Returns the destination for the shared receive queue of that number, 24 bits (rule xrc-named). */
        public static Named sharedReceives(int number) {
            return new Named(List.of(new ExtendedHeader.XrcEth(0, number)));
        }
    }
}
