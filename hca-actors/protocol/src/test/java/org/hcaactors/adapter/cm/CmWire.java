// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.PortAddress;

/** Agents on a wire that may lose, repeat and delay datagrams, in virtual time. */
final class CmWire {
    static final long SERVICE = IpService.serviceId(IpService.TCP, 7174);
    static final long LATENCY = 1_000;
    static final long PACKET_LIFE = 1_000_000;
    static final CmTimeouts TIMEOUTS = new CmTimeouts(10, 5, 12, PACKET_LIFE);

    /** One agent, with all that it reported. */
    static final class Node {
        final PortAddress at;
        final CmAgent agent;
        final List<CmEffect> reports = new ArrayList<>();
        Consumer<CmEffect> program = report -> {};

        private Node(CmWire wire, PortAddress at, int firstCommId) {
            this.at = at;
            agent = new CmAgent(TIMEOUTS, new CmDevice(at.low(), 15, firstCommId), effect -> {
                if (effect instanceof CmEffect.Send send) {
                    wire.send(at, send);
                } else {
                    reports.add(effect);
                    program.accept(effect);
                }
            });
        }

        <T> List<T> reports(Class<T> kind) {
            return reports.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        /** Returns the last report of that kind; fails if there is none. */
        <T> T last(Class<T> kind) {
            return reports(kind).getLast();
        }
    }

    record Sent(PortAddress from, PortAddress to, CmDatagram datagram) {
        String kind() {
            return datagram.message().attribute().name();
        }
    }

    private record InFlight(long at, long number, Sent sent) {}

    final List<Sent> sent = new ArrayList<>();
    private final Map<PortAddress, Node> nodes = new LinkedHashMap<>();
    private final PriorityQueue<InFlight> inFlight =
            new PriorityQueue<>(Comparator.comparingLong(InFlight::at).thenComparingLong(InFlight::number));
    private long numbers;
    private long now;

    /** Delays of the copies of a datagram that arrive; none is a loss. */
    Function<Sent, List<Long>> judge = each -> List.of(LATENCY);

    Node node(int host) {
        return nodes.computeIfAbsent(
                PortAddress.ofIpv4(0x0A00_0000 + host), at -> new Node(this, at, host * 1_000_000));
    }

    /** Replaces an agent by a new one with other IDs, as after a crash of its host. */
    Node restarted(int host) {
        return replaced(host, host * 1_000_000 + 500_000);
    }

    /** Replaces an agent by one that begins with the same IDs. */
    Node restartedSame(int host) {
        return replaced(host, host * 1_000_000);
    }

    private Node replaced(int host, int firstCommId) {
        Node fresh = new Node(this, node(host).at, firstCommId);
        nodes.put(fresh.at, fresh);
        return fresh;
    }

    static CmTerms terms(int qpNumber) {
        return new CmTerms(
                new QueuePairOffer(qpNumber, 0, 7, 0, 0, false, 0xFFFF, 5),
                new ConnectionLimits(4, 4, 7, 7, false),
                CmPath.NONE);
    }

    private void send(PortAddress from, CmEffect.Send send) {
        CmDatagram read = CmCodec.decode(CmCodec.encode(send.datagram())).orElseThrow();
        Sent one = new Sent(from, send.to(), read);
        sent.add(one);
        judge.apply(one).forEach(delay -> inFlight.add(new InFlight(now + delay, numbers++, one)));
    }

    long now() {
        return now;
    }

    List<String> kinds() {
        return sent.stream().map(Sent::kind).toList();
    }

    /** Runs what happens until then. */
    void runUntil(long end) {
        while (next() <= end) {
            now = Math.max(now, next());
            InFlight first = inFlight.peek();
            if (first != null && first.at <= now) {
                inFlight.remove();
                Node to = nodes.get(first.sent.to);
                if (to != null) {
                    to.agent.arrived(first.sent.from, first.sent.datagram, now);
                }
            } else {
                List.copyOf(nodes.values()).forEach(each -> each.agent.timeout(now));
            }
        }
        now = end;
    }

    private long next() {
        InFlight first = inFlight.peek();
        long timers = nodes.values().stream()
                .mapToLong(each -> each.agent.nextDeadline())
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.min(first == null ? Long.MAX_VALUE : first.at, timers);
    }

    void run(long nanos) {
        runUntil(now + nanos);
    }

    /** Lets arrive what is on its way, in less time than any timeout. */
    void settle() {
        run(10 * LATENCY);
    }

    /** Runs until nothing is left to do. */
    void runToEnd() {
        runUntil(Long.MAX_VALUE - 1);
    }
}
