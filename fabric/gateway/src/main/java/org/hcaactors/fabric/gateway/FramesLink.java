// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.neighbour.Neighbours;
import org.hcaactors.fabric.neighbour.Neighbours.Action;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.wire.FrameEncoder;

/**
 * The link of a frames cable: the hosts that are known there, and what is sent to them. The reader and the writer share it; what one
 * event causes is sent before that of the next one, so that packets which waited for a MAC address leave before later ones.
 */
final class FramesLink {
    private final FramesCable cable;
    private final DatagramChannel channel;
    private final Neighbours<Outgoing> neighbours;

    FramesLink(FramesCable cable, DatagramChannel channel) {
        this.cable = cable;
        this.channel = channel;
        neighbours = new Neighbours<>(cable.peers().stream().map(Addresses::of).toList());
    }

    synchronized void plug(MacAddress mac, List<PortAddress> addresses) {
        neighbours.plug(mac, addresses);
    }

    synchronized long nextDeadline(long now) {
        return neighbours.nextDeadline(now);
    }

    /** Tells the machine of the hosts an event, and does what it says. */
    synchronized void perform(Losses losses, Function<Neighbours<Outgoing>, List<Action<Outgoing>>> event)
            throws ClosedChannelException, InterruptedException {
        for (Action<Outgoing> action : event.apply(neighbours)) {
            switch (action) {
                case Action.Transmit<Outgoing>(var frame) -> transmit(frame, losses);
                case Action.Send<Outgoing>(var packet, var mac) -> send(packet, mac, losses);
                case Action.Lost<Outgoing>(var packet, var why) -> lost(packet, why, losses);
            }
        }
    }

    private void transmit(byte[] frame, Losses losses) throws ClosedChannelException, InterruptedException {
        try {
            write(frame);
            losses.counters().count(CableCounter.NEIGHBOUR_SENT);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException refused) {
            // It is lost, as on a wire; questions are asked again.
        }
    }

    private void send(Outgoing leaving, MacAddress to, Losses losses)
            throws ClosedChannelException, InterruptedException {
        Optional<MacAddress> own =
                neighbours.ownMac(leaving.packet().route().source());
        if (own.isEmpty()) {
            lost(leaving, Neighbours.Why.NOT_OURS, losses);
            return;
        }
        try {
            write(frame(leaving, own.get(), to));
            losses.counters().count(CableCounter.SENT);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException | RuntimeException refused) {
            losses.lost(leaving, CableCounter.REFUSED, "the socket refused it: " + refused.getMessage());
        }
    }

    /** A damaged frame leaves as it is, but for its MAC addresses. */
    private static byte[] frame(Outgoing leaving, MacAddress own, MacAddress to) {
        byte[] frame =
                leaving.damagedFrame().map(Octets::toArray).orElseGet(() -> FrameEncoder.encode(leaving.packet()));
        ByteBuffer header = ByteBuffer.wrap(frame);
        to.write(header);
        own.write(header);
        return frame;
    }

    private void write(byte[] frame) throws IOException, InterruptedException {
        Datagrams.write(channel, ByteBuffer.wrap(frame), cable.remote());
        cable.observer().sent(frame);
    }

    private static void lost(Outgoing packet, Neighbours.Why why, Losses losses) {
        PortAddress to = packet.packet().route().destination();
        switch (why) {
            case NOT_OURS ->
                losses.lost(packet, CableCounter.NO_SOCKET, "the cable does not have the packet's source address");
            case NOT_A_PEER -> losses.lost(packet, CableCounter.NO_PEER, "no peer of the cable has that address");
            case TOO_MANY_WAIT ->
                losses.lost(
                        packet,
                        CableCounter.QUEUE_FULL,
                        Neighbours.MAX_WAITING + " packets wait for the MAC address of " + to);
            case NO_ANSWER ->
                losses.lost(packet, CableCounter.NO_NEIGHBOUR, "no host answers for the address " + to);
        }
    }
}
