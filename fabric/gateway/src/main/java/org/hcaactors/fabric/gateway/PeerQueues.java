// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Packets that wait to leave, with a queue, a pace and a window for each peer; peers take turns. Callers pass the current time. Not
 * thread-safe.
 */
final class PeerQueues {
    /** In place of a peer's address for all multicast groups, if they have a queue. */
    static final PortAddress GROUPS = PortAddress.unspecified(false);

    /** Result of adding a packet. */
    enum Added {
        QUEUED,
        NO_PEER,
        FULL
    }

    private static final class Peer {
        final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
        final TokenBucket pace;
        final PeerWindow window;

        Peer(TokenBucket pace, PeerWindow window) {
            this.pace = pace;
            this.window = window;
        }

        /** Removes the next packet if it may leave. */
        Optional<Outgoing> poll(long now) {
            if (!window.isOpen(now) || !pace.tryTake(nextBytes(), now)) {
                return Optional.empty();
            }
            Outgoing next = waiting.remove();
            return Optional.of(window.sent(next.packet(), now) ? next.asking() : next);
        }

        long nextDeparture(long now) {
            return Math.max(pace.availableAt(nextBytes(), now), window.opensAt(now));
        }

        private int nextBytes() {
            return waiting.element().packet().frameBytes();
        }
    }

    private final Map<PortAddress, Peer> peers = new LinkedHashMap<>();
    private final int maxQueued;
    /** Peers for which packets wait; the first is the next one. */
    private final ArrayDeque<Peer> turns = new ArrayDeque<>();

    PeerQueues(Map<PortAddress, PeerWindow> windows, PeerLimits limits) {
        maxQueued = limits.queuedPackets();
        Supplier<TokenBucket> pace = limits.bitsPerSecond() == 0
                ? TokenBucket::unlimited
                : () -> TokenBucket.of(limits.bitsPerSecond() / (double) Byte.SIZE, limits.burstBytes());
        windows.forEach((address, window) -> peers.put(address, new Peer(pace.get(), window)));
    }

    Added add(Outgoing packet) {
        PortAddress to = packet.packet().route().destination();
        Peer peer = peers.get(to.isMulticast() ? GROUPS : to);
        if (peer == null) {
            return Added.NO_PEER;
        }
        if (peer.waiting.size() >= maxQueued) {
            return Added.FULL;
        }
        if (peer.waiting.isEmpty()) {
            turns.add(peer);
        }
        peer.waiting.add(packet);
        return Added.QUEUED;
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    /** Removes the next packet whose peer's pace and window allow it to leave. */
    Optional<Outgoing> poll(long now) {
        for (int i = turns.size(); i > 0; i--) {
            Peer peer = turns.remove();
            Optional<Outgoing> leaving = peer.poll(now);
            if (!peer.waiting.isEmpty()) {
                turns.add(peer);
            }
            if (leaving.isPresent()) {
                return leaving;
            }
        }
        return Optional.empty();
    }

    /** Removes the next packet whatever its peer's pace and window. */
    Optional<Outgoing> pollUnlimited() {
        Peer peer = turns.poll();
        if (peer == null) {
            return Optional.empty();
        }
        Outgoing leaving = peer.waiting.remove();
        if (!peer.waiting.isEmpty()) {
            turns.add(peer);
        }
        return Optional.of(leaving);
    }

    /** Returns when {@link #poll} has a packet; Long.MAX_VALUE if none waits. */
    long nextDeparture(long now) {
        return turns.stream().mapToLong(peer -> peer.nextDeparture(now)).min().orElse(Long.MAX_VALUE);
    }
}
