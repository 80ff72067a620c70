// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Packets that wait to leave, with a queue and a pace for each peer; peers take turns. Callers pass the current time. Not
 * thread-safe.
 */
final class PeerQueues {
    /** Result of adding a packet. */
    enum Added {
        QUEUED,
        NO_PEER,
        FULL
    }

    private static final class Peer {
        final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
        final TokenBucket pace;

        Peer(TokenBucket pace) {
            this.pace = pace;
        }

        int nextBytes() {
            return waiting.element().packet().frameBytes();
        }
    }

    private final Map<PortAddress, Peer> peers = new LinkedHashMap<>();
    private final int maxQueued;
    /** Peers for which packets wait; the first is the next one. */
    private final ArrayDeque<Peer> turns = new ArrayDeque<>();

    PeerQueues(Collection<PortAddress> addresses, PeerLimits limits) {
        maxQueued = limits.queuedPackets();
        Supplier<TokenBucket> pace = limits.bitsPerSecond() == 0
                ? TokenBucket::unlimited
                : () -> TokenBucket.of(limits.bitsPerSecond() / (double) Byte.SIZE, limits.burstBytes());
        addresses.forEach(address -> peers.put(address, new Peer(pace.get())));
    }

    Added add(Outgoing packet) {
        Peer peer = peers.get(packet.packet().route().destination());
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

    /** Removes the next packet whose pace allows it to leave. */
    Optional<Outgoing> poll(long now) {
        for (int i = turns.size(); i > 0; i--) {
            Peer peer = turns.remove();
            Optional<Outgoing> leaving =
                    peer.pace.tryTake(peer.nextBytes(), now) ? Optional.of(peer.waiting.remove()) : Optional.empty();
            if (!peer.waiting.isEmpty()) {
                turns.add(peer);
            }
            if (leaving.isPresent()) {
                return leaving;
            }
        }
        return Optional.empty();
    }

    /** Removes the next packet whatever its pace. */
    Optional<Outgoing> pollUnpaced() {
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
        return turns.stream()
                .mapToLong(peer -> peer.pace.availableAt(peer.nextBytes(), now))
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
