// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;

/** A queue pair that counts the credits it gets. */
final class Sender implements Receiver {
    private final AtomicInteger credits = new AtomicInteger();
    private final Endpoint endpoint = new Endpoint(Packets.address(1), 0x12, this);

    /** Returns packets of this sender that reached the border. */
    List<Outgoing> outgoing(int packets) {
        return IntStream.range(0, packets)
                .mapToObj(psn -> new Outgoing(Packets.carried(psn), OptionalLong.of(psn), Optional.of(endpoint)))
                .toList();
    }

    /** Returns datagrams to a group. */
    List<Outgoing> toGroup(int packets) {
        return IntStream.range(0, packets)
                .mapToObj(psn -> new Outgoing(Packets.toGroup(psn), OptionalLong.of(psn), Optional.of(endpoint)))
                .toList();
    }

    int credits() {
        return credits.get();
    }

    @Override
    public void credit(int packets) {
        credits.addAndGet(packets);
    }

    @Override
    public void deliver(Packet[] batch, long[] traceIds) {}

    @Override
    public void corrupted() {}
}
