// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** Recorded requests of this side on one connection, by their distance from its first PSN. */
final class OwnRequests {
    /** A request packet, and when it was sent last. */
    static final class Request {
        final Item first;
        /** Number of PSNs from its own one on. */
        final int span;
        /** Number of packets that were sent up to its last one; 0 if it was not sent. */
        private long last;

        Request(Item first, int span) {
            this.first = first;
            this.span = span;
        }

        /** True if it was sent behind so many packets. */
        boolean isSentBehind(long packets) {
            return last > packets;
        }
    }

    private final int firstPsn;
    private final int mtuBytes;
    private final TreeMap<Integer, Request> byDistance = new TreeMap<>();
    private long sent;

    OwnRequests(int firstPsn, int mtuBytes) {
        this.firstPsn = firstPsn;
        this.mtuBytes = mtuBytes;
    }

    /** Returns the distance of a recorded PSN from the first one. */
    int distance(int psn) {
        return Psn.compare(psn, firstPsn);
    }

    void add(Item item) {
        int distance = distance(item.packet().psn());
        Request known = byDistance.get(distance);
        if (known == null) {
            // A READ from the middle of another one: responses were lost.
            item.optional = isRead(item.packet()) && covering(distance).isPresent();
            byDistance.put(distance, new Request(item, spanOf(item.packet())));
        } else {
            item.optional = true;
        }
    }

    /** Notes that a request was sent; true if it was sent before. */
    boolean sent(Request request) {
        boolean isRepeated = request.last > 0;
        sent++;
        request.last = sent;
        request.first.passed = true;
        return isRepeated;
    }

    /** Returns the number of packets that were sent. */
    long sent() {
        return sent;
    }

    private static boolean isRead(Packet packet) {
        return packet.operation().family() == Operation.Family.READ;
    }

    private int spanOf(Packet packet) {
        return isRead(packet) ? Psn.packets(packet.reth().lengthUnsigned(), mtuBytes) : 1;
    }

    Optional<Request> at(int distance) {
        return Optional.ofNullable(byDistance.get(distance));
    }

    /** Returns the request with that PSN, which may be the middle of a READ. */
    Optional<Request> covering(int distance) {
        Map.Entry<Integer, Request> floor = byDistance.floorEntry(distance);
        return floor != null && distance - floor.getKey() < floor.getValue().span
                ? Optional.of(floor.getValue())
                : Optional.empty();
    }

    /** Returns the recorded READ of which that packet asks for the rest. */
    Optional<Request> resumed(int distance, Packet packet) {
        return isRead(packet)
                ? covering(distance).filter(read -> isRead(read.first.packet()) && isRestOf(read, distance, packet))
                : Optional.empty();
    }

    private boolean isRestOf(Request read, int distance, Packet packet) {
        ExtendedHeader.Reth whole = read.first.packet().reth();
        long skipped = (long) (distance - distance(read.first.packet().psn())) * mtuBytes;
        return packet.reth().rkey() == whole.rkey()
                && packet.reth().address() == whole.address() + skipped
                && packet.reth().lengthUnsigned() <= whole.lengthUnsigned() - skipped;
    }

    /** Returns the last request. */
    Optional<Item> last() {
        return byDistance.isEmpty()
                ? Optional.empty()
                : Optional.of(byDistance.lastEntry().getValue().first);
    }
}
