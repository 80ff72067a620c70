package org.hcaactors.lab.fault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.fabric.link.Transit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.BitFlip;

/** A fault on packets at work: counts what it means, draws its lots, and says what becomes of a packet. */
final class PacketRule {
    /** What a rule did. */
    record Strike(Verdict verdict, long match, PacketAction exactly) {}

    /** A queue pair that is made to look as if it had no receive. */
    private static final class Blocked {
        final int psn;
        int left;

        Blocked(int psn, int left) {
            this.psn = psn;
            this.left = left;
        }
    }

    private record QpAt(String port, int number) {}

    private final Fault.OnPackets fault;
    private final String name;
    private final SplittableRandom lots;
    private final Map<QpAt, Blocked> blocked = new LinkedHashMap<>();
    private final Map<QpAt, Integer> lastMsn = new LinkedHashMap<>();
    private long matches;
    private boolean stopped;

    PacketRule(Fault.OnPackets fault, SplittableRandom lots) {
        this.fault = fault;
        this.name = '"' + fault.words() + '"';
        this.lots = lots;
    }

    void stop() {
        stopped = true;
    }

    /** Empty if it lets the packet be. */
    Optional<Strike> judge(Transit transit) {
        if (stopped) {
            return Optional.empty();
        }
        if (fault.action() instanceof PacketAction.NotReady notReady) {
            noteMsn(transit);
            Blocked here = blocked.get(target(transit));
            if (here != null && isRcRequest(transit.packet())) {
                return whileBlocked(transit, here, notReady);
            }
        }
        boolean meant =
                fault.moments().include(transit.nanos()) && fault.match().holds(transit);
        if (!meant) {
            return Optional.empty();
        }
        matches++;
        return fault.occasion().strikes(matches, lots) ? strike(transit) : Optional.empty();
    }

    private Optional<Strike> strike(Transit transit) {
        return switch (fault.action()) {
            case PacketAction.Drop drop -> struck(new Verdict.Drop(name), drop);
            case PacketAction.Delay delay -> {
                long least = delay.least().toNanos();
                long most = delay.most().toNanos();
                long by = least == most ? least : lots.nextLong(least, most + 1);
                java.time.Duration exactly = java.time.Duration.ofNanos(by);
                yield struck(new Verdict.Delay(name, by), new PacketAction.Delay(exactly, exactly));
            }
            case PacketAction.Duplicate twice ->
                struck(new Verdict.Duplicate(name, twice.after().toNanos()), twice);
            case PacketAction.Reorder late ->
                struck(new Verdict.Reorder(name, late.behind(), late.atMost().toNanos()), late);
            case PacketAction.Corrupt corrupt ->
                struck(
                        new Verdict.Corrupt(name, BitFlip.of(transit.packet(), corrupt.where(), matches * 8191)),
                        corrupt);
            case PacketAction.Rewrite rewrite ->
                struck(new Verdict.Replace(name, rewrite.change().apply(transit.packet())), rewrite);
            case PacketAction.NotReady notReady -> {
                if (!isRcRequest(transit.packet())) {
                    yield Optional.empty();
                }
                Blocked here = new Blocked(transit.packet().psn(), notReady.times());
                blocked.put(target(transit), here);
                yield whileBlocked(transit, here, notReady);
            }
        };
    }

    private Optional<Strike> struck(Verdict verdict, PacketAction exactly) {
        return Optional.of(new Strike(verdict, matches, exactly));
    }

    /** The packet that found no receive is answered each time; the ones behind it vanish, as at a real responder. */
    private Optional<Strike> whileBlocked(Transit transit, Blocked here, PacketAction.NotReady notReady) {
        int distance = Psn.compare(transit.packet().psn(), here.psn);
        if (distance < 0) {
            return Optional.empty();
        }
        if (distance > 0) {
            return struck(new Verdict.Drop(name), notReady);
        }
        if (here.left == 0) {
            blocked.remove(target(transit));
            return Optional.empty();
        }
        here.left--;
        return struck(new Verdict.Answer(name, rnrNak(transit, notReady.timerCode())), notReady);
    }

    private Packet rnrNak(Transit transit, int timerCode) {
        Packet request = transit.packet();
        Route way = request.route();
        Route back = new Route(
                way.destination(),
                way.source(),
                way.trafficClass(),
                way.hopLimit(),
                way.flowLabel(),
                way.udpSourcePort());
        Bth bth = Bth.of(
                Opcode.RC_ACKNOWLEDGE,
                false,
                request.bth().migReq(),
                0,
                request.bth().pkey(),
                transit.fromQp(),
                false,
                request.psn());
        int msn = lastMsn.getOrDefault(new QpAt(transit.fromPort(), transit.fromQp()), 0);
        return new Packet(back, bth, List.of(new ExtendedHeader.Aeth(Syndrome.rnr(timerCode), msn)), Octets.NONE);
    }

    private void noteMsn(Transit transit) {
        Packet packet = transit.packet();
        if (packet.opcode().extended().contains(HeaderKind.AETH)) {
            lastMsn.put(
                    new QpAt(transit.toPort(), packet.bth().destQp()),
                    packet.aeth().msn());
        }
    }

    private static QpAt target(Transit transit) {
        return new QpAt(transit.toPort(), transit.packet().bth().destQp());
    }

    private static boolean isRcRequest(Packet packet) {
        return packet.opcode().transport() == TransportClass.RC
                && !packet.operation().isResponse();
    }
}
