// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.fabric.packet.ExtendedHeader.DcConnectEth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Ingress of a DC target: forwards each packet to the responder of its peer, and opens a session for a CONNECT. It knows its
 * present and former peers while late packets of theirs may arrive (rules dc-responder, dc-lifetime).
 */
public final class DcIngress {
    // rule dc-cnak
    /** Time for which a responder that sends a CNAK stays allocated. */
    static final long REFUSING_NANOS = 1_000;

    // rule dc-reclaim
    /** Time after which a silent peer is considered gone, whether its responder is needed or not. */
    static final long DEAD_NANOS = 16_000_000_000L;

    // rule dc-reclaim
    /** Time for which a peer that fell silent is remembered, longer than one that disconnected. */
    static final long SILENT_NANOS = 64_000_000_000L;

    /** A peer: an initiator on one of its channels. */
    public record Peer(PortAddress source, int initiator, int channel) {
        @MutationPoint("dc-ingress.peer.of")
        static Peer of(Packet packet) {
            DcEth from = packet.dcEth();
            return new Peer(packet.route().source(), from.sender(), from.channel());
        }
    }

    /** All possible outcomes of an incoming packet. */
    public sealed interface Disposition {}

    /** The packet is for that existing responder. */
    public record Served(Slot by) implements Disposition {}

    /**
     * A responder is to be created for the peer, and the packet is its first one.
     *
     * @param firstPsn PSN that the responder expects
     */
    public record Opens(Peer peer, Slot by, int firstPsn) implements Disposition {}

    /** The target answers by itself. */
    public record Answered(int syndrome, int sessionId, Optional<NoSession> reason) implements Disposition {
        Answered(int syndrome, NoSession reason) {
            this(syndrome, 0, Optional.of(reason));
        }
    }

    /** The packet is dropped without an answer. */
    public record Dropped(Reason reason) implements Disposition {}

    /** No responder is free, and there is no answer. */
    public record Unserved(NoSession reason) implements Disposition {}

    /**
     * A CONNECT that is handled again when the open session has ended.
     *
     * @param event event of its arrival, 0 if nothing is traced
     */
    public record Waiting(Packet connect, long event) {
        private int nextPsn() {
            return connect.dcConnectEth().nextPsn();
        }

        /** True if it may open the session after the open one: of several, the newest counts. */
        private boolean mayFollow(Session open) {
            return nextPsn() != open.firstPsn
                    && (open.next == null || Psn.compare(nextPsn(), open.next.nextPsn()) >= 0);
        }

        // rule dc-reconnect
        /** True if it requested to continue the session that ended, which has answered it. */
        private boolean wasFor(int expectedPsn) {
            return connect.dcConnectEth().reconnect() && Psn.compare(nextPsn(), expectedPsn) <= 0;
        }
    }

    /** State of one peer. */
    private static final class Session {
        /** Outcome of its packets, as long as it has a responder. */
        @Nullable
        Served served;

        int firstPsn;

        /** Number of its last session, and the number in the CONNECT that opened it: the peer may not know the new number. */
        int session;

        int named;

        /** Time of the last packet from the peer. */
        long lastPacketAt;

        /**
         * The last CONNECT had a wrong key: packets without session number were sent for it and do not belong to the open
         * session.
         */
        boolean refused;

        /** Time when its responder was last requested for another peer. */
        long requested;

        /** Expected PSN of the last session. */
        int expectedPsn;

        /** PSN of a DISCONNECT that would end, or ended, that session. */
        int disconnectPsn;

        long until;
        long endedAt;

        /** A CONNECT that may be for another session than the open one. */
        @Nullable
        Waiting next;

        // rule dc-forgotten
        /** True if the peer had a session of that number here, as far as the peer can know. */
        boolean had(int number) {
            return number == session || number == named;
        }

        /** True if that session was before the last one: the peer knows of a later one. Numbers are 24 bits, and rise. */
        boolean isPast(int number) {
            return Psn.compare(number, session) < 0;
        }

        /** True if the session that ended was ended by the peer's DISCONNECT, which has a PSN of its own. */
        boolean isDisconnected() {
            return expectedPsn != disconnectPsn;
        }

        boolean isServedBy(Slot slot) {
            return served != null && served.by.equals(slot);
        }

        long quietSince() {
            return Math.max(lastPacketAt, requested);
        }
    }

    /** A responder that only sends a CNAK. */
    private record Refusing(Slot slot, long until) {}

    private final DcTargetGrants attributes;
    private final ResponderPool pool;
    private final Map<Peer, Session> sessions = new LinkedHashMap<>();
    private final Map<Slot, Peer> served = new LinkedHashMap<>();
    private final ArrayDeque<Refusing> refusing = new ArrayDeque<>();
    private boolean draining;
    private long violations;

    public DcIngress(DcTargetGrants attributes, ResponderPool pool) {
        this.attributes = attributes;
        this.pool = pool;
    }

    /** Number of CONNECTs with a wrong access key so far. */
    public long violations() {
        return violations;
    }

    public int sessions() {
        return served.size();
    }

    // rule dc-drain
    public void drain() {
        draining = true;
    }

    /**
     * Determines the outcome of a packet.
     *
     * @param event event of its arrival, 0 if nothing is traced
     */
    public Disposition arrived(Packet packet, long event, long now) {
        DcEth from = packet.dcEth();
        if (from.version() != attributes.version()) {
            return new Dropped(new PacketMismatch.DcVersion(from.version(), attributes.version()));
        }
        Peer peer = Peer.of(packet);
        Session peerSession = sessions.get(peer);
        if (packet.operation() == Operation.CONNECT) {
            return connect(new Waiting(packet, event), peer, peerSession, now);
        }
        if (peerSession != null && peerSession.served != null && !(peerSession.refused && from.sessionId() == 0)) {
            peerSession.lastPacketAt = now;
            return peerSession.served;
        }
        return packet.operation() == Operation.DISCONNECT ? late(packet, peerSession) : none(peer);
    }

    private static Disposition none(Peer peer) {
        return new Dropped(new PacketMismatch.NoSession(peer.initiator));
    }

    // rule dc-disconnect
    /** Handles a DISCONNECT after the session: its acknowledgement was lost. */
    private static Disposition late(Packet packet, @Nullable Session peerSession) {
        return peerSession != null && packet.psn() == peerSession.disconnectPsn
                ? new Answered(Syndrome.ACK, packet.dcEth().sessionId(), Optional.empty())
                : none(Peer.of(packet));
    }

    // rules dc-key, dc-drain, dc-forgotten
    @MutationPoint("dc-ingress.connect")
    private Disposition connect(Waiting connecting, Peer peer, @Nullable Session peerSession, long now) {
        Packet packet = connecting.connect;
        DcConnectEth header = packet.dcConnectEth();
        if (header.accessKey() != attributes.accessKey()) {
            violations++;
            if (peerSession != null) {
                peerSession.refused = true;
            }
            return new Answered(Syndrome.NAK_REMOTE_ACCESS, new NoSession.WrongKey(peer.initiator, header.accessKey()));
        }
        if (peerSession != null && peerSession.served != null) {
            peerSession.lastPacketAt = now;
            peerSession.refused = false;
            if (connecting.mayFollow(peerSession)) {
                peerSession.next = connecting;
            }
            return peerSession.served;
        }
        if (draining) {
            return new Answered(Syndrome.NAK_CONNECT, new NoSession.Draining());
        }
        int session = packet.dcEth().sessionId();
        if (header.reconnect() && session != 0 && (peerSession == null || !peerSession.had(session))) {
            return peerSession != null && peerSession.isPast(session)
                    ? new Dropped(Ignored.Plainly.OF_ANOTHER_SESSION)
                    : new Answered(Syndrome.NAK_REMOTE_OPERATION, new NoSession.Forgotten(session));
        }
        return peerSession == null
                ? open(connecting, peer, header.nextPsn(), now)
                : ofKnownPeer(connecting, peer, peerSession, now);
    }

    // rules dc-lifetime, dc-reconnect
    /** A peer that has disconnected sent its reconnects before that: another session would accept the data of its next one. */
    private Disposition ofKnownPeer(Waiting connecting, Peer peer, Session peerSession, long now) {
        boolean before = Psn.compare(connecting.nextPsn(), peerSession.expectedPsn) < 0;
        if (!before) {
            return open(connecting, peer, connecting.nextPsn(), now);
        }
        if (connecting.connect.dcConnectEth().reconnect() && !peerSession.isDisconnected()) {
            return open(connecting, peer, peerSession.expectedPsn, now);
        }
        return now - peerSession.endedAt < attributes.lifetimeNanos()
                ? new Dropped(Ignored.Plainly.OF_ANOTHER_SESSION)
                : open(connecting, peer, connecting.nextPsn(), now);
    }

    // rules dc-pool, dc-cnak, dc-empty
    private Disposition open(Waiting connecting, Peer peer, int firstPsn, long now) {
        advance(now);
        int free = Math.min(pool.free(), attributes.maxResponders() - served.size() - refusing.size());
        Optional<Slot> taken = free <= 0 ? Optional.empty() : pool.take();
        if (taken.isEmpty()) {
            return new Unserved(new NoSession.NoResponder(attributes.maxResponders()));
        }
        Slot slot = taken.get();
        Optional<NoSession> refusal = refusal(peer, free, now);
        if (refusal.isPresent()) {
            refusing.add(new Refusing(slot, now + REFUSING_NANOS));
            return new Answered(Syndrome.NAK_CONNECT, 0, refusal);
        }
        Session peerSession = sessions.computeIfAbsent(peer, absent -> new Session());
        peerSession.served = new Served(slot);
        peerSession.session = slot.sessionId();
        peerSession.named = connecting.connect.dcEth().sessionId();
        peerSession.lastPacketAt = now;
        peerSession.refused = false;
        peerSession.firstPsn = firstPsn;
        peerSession.expectedPsn = firstPsn;
        served.put(slot, peer);
        return new Opens(peer, slot, firstPsn);
    }

    @MutationPoint("dc-ingress.refusal")
    private Optional<NoSession> refusal(Peer peer, int free, long now) {
        if (free - 1 < attributes.reservedResponders()) {
            return Optional.of(new NoSession.FewResponders(free, attributes.reservedResponders()));
        }
        return hasRoom(peer, now) ? Optional.empty() : Optional.of(new NoSession.TooManyPeers(attributes.maxLines()));
    }

    // rule dc-lifetime
    private boolean hasRoom(Peer peer, long now) {
        if (sessions.size() >= attributes.maxLines() && !sessions.containsKey(peer)) {
            sessions.values().removeIf(peerSession -> peerSession.served == null && now >= peerSession.until);
        }
        return sessions.size() < attributes.maxLines() || sessions.containsKey(peer);
    }

    // rule dc-reclaim
    /**
     * Returns the responder whose peer has been silent for the longest time, if that is long enough to give it to another peer;
     * the silent peer gets another responder when it returns. Call it if no responder was free. The responder may decline; then
     * the others are chosen before it is requested again.
     */
    public Optional<Slot> requested(long now) {
        Optional<Session> longest = served.values().stream()
                .flatMap(peer -> Optional.ofNullable(sessions.get(peer)).stream())
                .filter(peerSession ->
                        peerSession.served != null && now - peerSession.quietSince() >= attributes.idleNanos())
                .min(Comparator.comparingLong(Session::quietSince));
        longest.ifPresent(peerSession -> peerSession.requested = now);
        return longest.map(peerSession -> peerSession.served).map(Served::by);
    }

    /**
     * Ends a session: that responder no longer serves its peer.
     *
     * @param expectedPsn the PSN after all executed requests
     * @param silent the peer did not disconnect
     * @return a CONNECT that arrived meanwhile and must be handled again
     */
    public Optional<Waiting> ended(Slot slot, int expectedPsn, boolean silent, long now) {
        Peer peer = served.get(slot);
        Session peerSession = peer == null ? null : sessions.get(peer);
        if (peerSession == null || !peerSession.isServedBy(slot)) {
            return Optional.empty();
        }
        Waiting next = peerSession.next;
        peerSession.served = null;
        peerSession.next = null;
        peerSession.disconnectPsn = expectedPsn;
        peerSession.expectedPsn = silent ? expectedPsn : Psn.plus(expectedPsn, 1);
        peerSession.endedAt = now;
        peerSession.until = now + (silent ? SILENT_NANOS : attributes.lifetimeNanos());
        return next == null || next.wasFor(expectedPsn) ? Optional.empty() : Optional.of(next);
    }

    /** Frees a responder that has ended, for other peers. */
    public void responderEnded(Slot slot) {
        Peer peer = served.remove(slot);
        pool.free(slot);
        Session peerSession = peer == null ? null : sessions.get(peer);
        if (peerSession != null && peerSession.isServedBy(slot)) {
            sessions.remove(peer);
        }
    }

    /** Returns all responders to the pool. */
    public void close() {
        served.keySet().forEach(pool::free);
        served.clear();
        refusing.forEach(each -> pool.free(each.slot));
        refusing.clear();
        sessions.clear();
    }

    /** Returns the time of the next {@link #advance}; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        Refusing first = refusing.peek();
        return first == null ? Long.MAX_VALUE : first.until;
    }

    /** Frees the responders that have sent a CNAK long enough ago. */
    public void advance(long now) {
        Iterator<Refusing> each = refusing.iterator();
        while (each.hasNext()) {
            Refusing next = each.next();
            if (now < next.until) {
                return;
            }
            pool.free(next.slot);
            each.remove();
        }
    }
}
