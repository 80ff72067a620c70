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
import org.hcaactors.fabric.packet.Route;
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

    /** Tells the machine of the hosts an event, and does what it says; what finds the socket's buffer full is lost. */
    synchronized void perform(Losses losses, Function<Neighbours<Outgoing>, List<Action<Outgoing>>> event)
            throws ClosedChannelException {
        for (Action<Outgoing> action : event.apply(neighbours)) {
            if (!isDone(action, losses) && action instanceof Action.Send<Outgoing>(var packet, var mac)) {
                losses.lost(packet, CableCounter.REFUSED, "the buffer of the socket is full");
            }
        }
    }

    /** Sends a packet; returns the socket if its buffer is full and the packet has to be sent again later. */
    synchronized Optional<DatagramChannel> send(Outgoing leaving, Losses losses, long now)
            throws ClosedChannelException {
        Route route = leaving.packet().route();
        boolean done = true;
        for (Action<Outgoing> action : neighbours.send(leaving, route.source(), route.destination(), now)) {
            done &= isDone(action, losses) || action instanceof Action.Transmit<Outgoing>;
        }
        return done ? Optional.empty() : Optional.of(channel);
    }

    /** False if the buffer of the socket is full. */
    private boolean isDone(Action<Outgoing> action, Losses losses) throws ClosedChannelException {
        return switch (action) {
            case Action.Transmit<Outgoing>(var frame) -> transmit(frame, losses);
            case Action.Send<Outgoing>(var packet, var mac) -> send(packet, mac, losses);
            case Action.Lost<Outgoing>(var packet, var why) -> {
                lost(packet, why, losses);
                yield true;
            }
        };
    }

    private boolean transmit(byte[] frame, Losses losses) throws ClosedChannelException {
        try {
            boolean written = write(frame);
            losses.counters().add(CableCounter.NEIGHBOUR_SENT, written ? 1 : 0);
            return written;
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException refused) {
            // It is lost, as on a wire; questions are asked again.
            return true;
        }
    }

    private boolean send(Outgoing leaving, MacAddress to, Losses losses) throws ClosedChannelException {
        Optional<MacAddress> own = neighbours.ownMac(leaving.packet().route().source());
        if (own.isEmpty()) {
            lost(leaving, Neighbours.Why.NOT_OURS, losses);
            return true;
        }
        try {
            boolean written = write(frame(leaving, own.get(), to));
            losses.counters().add(CableCounter.SENT, written ? 1 : 0);
            return written;
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException | RuntimeException refused) {
            losses.lost(leaving, CableCounter.REFUSED, "the socket refused it: " + refused.getMessage());
            return true;
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

    private boolean write(byte[] frame) throws IOException {
        boolean written = channel.send(ByteBuffer.wrap(frame), cable.remote()) > 0;
        if (written) {
            cable.observer().sent(frame);
        }
        return written;
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
            case NO_ANSWER -> losses.lost(packet, CableCounter.NO_NEIGHBOUR, "no host answers for the address " + to);
        }
    }
}
