// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Finds which queue pairs of a recording belong together. A packet of a connection names its receiver only, so messages of
 * communication management decide, then responses, which have the PSNs of requests, and then the order of the first packets.
 */
final class QueuePairPairs {
    /** Queue pairs of each side between which responses decide; beyond, the order does. */
    private static final int MAX_COMPARED = 64;

    /** Packets to one queue pair. */
    private record Stream(TransportClass transport, PortAddress own, boolean toPeer, int number) {}

    private static final class Seen {
        final Set<Integer> requests = new LinkedHashSet<>();
        final Set<Integer> responses = new LinkedHashSet<>();
        final Map<Integer, RecordedMemory> memory = new LinkedHashMap<>();
    }

    private record End(PortAddress own, boolean ofPeer, int number) {}

    private record Datagrams(PortAddress own, int number, int peerNumber) {}

    private record Way(TransportClass transport, PortAddress own) {}

    private final Map<Stream, Seen> streams = new LinkedHashMap<>();
    private final Map<End, Integer> firstPsn = new LinkedHashMap<>();
    private final Map<End, End> connected = new LinkedHashMap<>();
    private final Map<Datagrams, RecordedQueuePair> datagrams = new LinkedHashMap<>();
    /** Queue pairs that REQs offer, by the ID of their senders. */
    private final Map<Integer, End> offers = new LinkedHashMap<>();

    private QueuePairPairs() {}

    static List<RecordedQueuePair> of(List<RecordedPacket> packets) {
        QueuePairPairs pairs = new QueuePairPairs();
        packets.stream().filter(each -> !each.isDamaged()).forEach(pairs::add);
        return pairs.all();
    }

    private void add(RecordedPacket recorded) {
        Packet packet = recorded.packet();
        Optional<CmDatagram> message = CmCodec.decode(packet);
        if (message.isPresent()) {
            connect(recorded, message.get().message());
        } else if (packet.opcode().transport() == TransportClass.UD) {
            datagram(recorded);
        } else if (packet.opcode().transport() != TransportClass.CNP) {
            stream(recorded);
        }
    }

    private static PortAddress own(RecordedPacket recorded) {
        return recorded.ofPeer()
                ? recorded.packet().route().destination()
                : recorded.packet().route().source();
    }

    private void stream(RecordedPacket recorded) {
        Packet packet = recorded.packet();
        Stream key = new Stream(
                packet.opcode().transport(),
                own(recorded),
                !recorded.ofPeer(),
                packet.bth().destQp());
        Seen seen = streams.computeIfAbsent(key, any -> new Seen());
        (packet.operation().isResponse() ? seen.responses : seen.requests).add(packet.psn());
        for (ExtendedHeader header : packet.extended()) {
            switch (header) {
                case ExtendedHeader.Reth h -> name(seen, h.rkey(), h.address(), h.lengthUnsigned());
                case ExtendedHeader.AtomicEth h -> name(seen, h.rkey(), h.address(), Long.BYTES);
                case ExtendedHeader.AtomicAddress h -> name(seen, h.rkey(), h.address(), Long.BYTES);
                case ExtendedHeader other -> {}
            }
        }
    }

    private static void name(Seen seen, int rkey, long address, long bytes) {
        seen.memory.merge(
                rkey, new RecordedMemory(rkey, address, bytes), (before, more) -> before.with(address, bytes));
    }

    private void connect(RecordedPacket recorded, CmMessage message) {
        boolean ofPeer = recorded.ofPeer();
        switch (message) {
            case CmMessage.ConnectRequest m -> {
                End end = new End(own(recorded), ofPeer, m.queuePair().number());
                offers.put(m.localCommId(), end);
                // It says with which PSN its receiver begins.
                firstPsn.put(end, m.queuePair().startingPsn());
            }
            case CmMessage.ConnectReply m -> {
                End end = new End(own(recorded), ofPeer, m.qpNumber());
                End other = offers.get(m.remoteCommId());
                if (other != null) {
                    connected.put(end, other);
                    connected.put(other, end);
                }
                firstPsn.put(end, m.startingPsn());
            }
            case CmMessage other -> {}
        }
    }

    private void datagram(RecordedPacket recorded) {
        boolean ofPeer = recorded.ofPeer();
        Packet packet = recorded.packet();
        int to = packet.bth().destQp();
        int from = packet.deth().sourceQp();
        Datagrams between = new Datagrams(own(recorded), ofPeer ? to : from, ofPeer ? from : to);
        datagrams.computeIfAbsent(
                between,
                any -> new RecordedQueuePair(
                        TransportClass.UD,
                        Recording.inetAddress(between.own),
                        between.number,
                        ofPeer ? 0 : packet.psn(),
                        between.peerNumber,
                        ofPeer ? packet.psn() : 0,
                        List.of(),
                        List.of()));
    }

    private List<RecordedQueuePair> all() {
        List<RecordedQueuePair> all = new ArrayList<>();
        Set<Stream> taken = new LinkedHashSet<>();
        pairByMessages(taken, all);
        pairByResponses(taken, all);
        pairByOrder(taken, all);
        all.addAll(datagrams.values());
        return all;
    }

    private List<Stream> open(Set<Stream> taken, boolean toPeer) {
        return streams.keySet().stream()
                .filter(stream -> stream.toPeer == toPeer && !taken.contains(stream))
                .toList();
    }

    private void pairByMessages(Set<Stream> taken, List<RecordedQueuePair> all) {
        for (Stream stream : List.copyOf(streams.keySet())) {
            End to = new End(stream.own, stream.toPeer, stream.number);
            End from = connected.get(to);
            if (from != null && !taken.contains(stream)) {
                Stream back = new Stream(stream.transport, stream.own, !stream.toPeer, from.number);
                take(stream.toPeer ? stream : back, stream.toPeer ? back : stream, taken, all);
            }
        }
    }

    private void pairByResponses(Set<Stream> taken, List<RecordedQueuePair> all) {
        List<Stream> there = open(taken, true);
        List<Stream> here = open(taken, false);
        if (there.size() > MAX_COMPARED || here.size() > MAX_COMPARED) {
            return;
        }
        for (Stream to : there) {
            Optional<Stream> best = Optional.empty();
            long most = 0;
            for (Stream from : here) {
                long fit = taken.contains(from) || !wayOf(to).equals(wayOf(from)) ? 0 : fit(to, from);
                if (fit > most) {
                    most = fit;
                    best = Optional.of(from);
                }
            }
            best.ifPresent(from -> take(to, from, taken, all));
        }
    }

    private long fit(Stream to, Stream from) {
        Seen out = streams.getOrDefault(to, new Seen());
        Seen back = streams.getOrDefault(from, new Seen());
        return back.responses.stream().filter(out.requests::contains).count()
                + out.responses.stream().filter(back.requests::contains).count();
    }

    private void pairByOrder(Set<Stream> taken, List<RecordedQueuePair> all) {
        Map<Way, Deque<Stream>> free = new LinkedHashMap<>();
        open(taken, false)
                .forEach(from -> free.computeIfAbsent(wayOf(from), any -> new ArrayDeque<>())
                        .add(from));
        for (Stream to : open(taken, true)) {
            Stream from = Optional.ofNullable(free.get(wayOf(to)))
                    .map(Deque::poll)
                    .orElse(new Stream(to.transport, to.own, false, 0));
            take(to, from, taken, all);
        }
        for (Stream from : open(taken, false)) {
            take(new Stream(from.transport, from.own, true, 0), from, taken, all);
        }
    }

    private static Way wayOf(Stream stream) {
        return new Way(stream.transport, stream.own);
    }

    private void take(Stream to, Stream from, Set<Stream> taken, List<RecordedQueuePair> all) {
        taken.add(to);
        taken.add(from);
        Seen out = streams.getOrDefault(to, new Seen());
        Seen back = streams.getOrDefault(from, new Seen());
        all.add(new RecordedQueuePair(
                to.transport,
                Recording.inetAddress(to.own),
                from.number,
                first(to, out),
                to.number,
                first(from, back),
                List.copyOf(back.memory.values()),
                List.copyOf(out.memory.values())));
    }

    /** Returns the first PSN of the requests to a queue pair. */
    private int first(Stream to, Seen seen) {
        Integer told = firstPsn.get(new End(to.own, to.toPeer, to.number));
        if (told != null) {
            return told;
        }
        return seen.requests.stream()
                .reduce((a, b) -> Psn.compare(a, b) <= 0 ? a : b)
                .orElse(0);
    }
}
