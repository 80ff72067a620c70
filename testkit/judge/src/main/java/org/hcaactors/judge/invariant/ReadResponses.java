// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A READ takes its bytes from the part of the response that is due: First or Only if a request named the PSN, never Middle or
 * Last if its first request did. A responder answers a duplicate READ only if it requests the same range as before, or the rest
 * of it, under the same key (rules rc-read-parts, rc-duplicate-read; IBA 9.7.5.1.5).
 */
final class ReadResponses implements Invariant {
    /** READs remembered per queue pair: far more than may be outstanding. */
    private static final int REMEMBERED = 1 << 10;

    /** The READs of one line of PSNs, as requester and as responder. */
    private static final class Reads {
        /** By posting, the oldest first: the PSN of its first request. */
        final LinkedHashMap<Long, Integer> requestPsns = new LinkedHashMap<>();
        /** The PSNs in {@code requestPsns}, for look-up. */
        final Set<Integer> beginnings = new LinkedHashSet<>();

        final LinkedHashSet<Integer> resumed = new LinkedHashSet<>();
        final ArrayDeque<Answered> answered = new ArrayDeque<>();

        /**
         * Records the first PSN of a READ. The oldest entries, no longer outstanding, and those whose PSNs wrap around are
         * removed.
         */
        void begins(long posting, int psn) {
            while (!requestPsns.isEmpty()
                    && (requestPsns.size() == REMEMBERED
                            || Psn.compare(requestPsns.firstEntry().getValue(), psn) > 0)) {
                beginnings.remove(requestPsns.pollFirstEntry().getValue());
            }
            requestPsns.put(posting, psn);
            beginnings.add(psn);
        }

        void resumes(int psn) {
            if (resumed.size() == REMEMBERED) {
                resumed.removeFirst();
            }
            resumed.add(psn);
        }

        void answers(Answered read) {
            while (!answered.isEmpty()
                    && (answered.size() == REMEMBERED || Psn.compare(answered.element().psn, read.psn) > 0)) {
                answered.remove();
            }
            answered.add(read);
        }
    }

    /** A READ that a responder executed: its PSNs, and the range it requested. */
    private record Answered(int psn, int packets, int mtuBytes, ExtendedHeader.Reth reth) {
        boolean covers(int other) {
            int offset = Psn.compare(other, psn);
            return offset >= 0 && offset < packets;
        }

        boolean isRepeatedBy(Packet request) {
            long skipped = (long) Psn.compare(request.psn(), psn) * mtuBytes;
            ExtendedHeader.Reth again = request.reth();
            return again.rkey() == reth.rkey()
                    && again.address() == reth.address() + skipped
                    && again.lengthUnsigned() <= reth.lengthUnsigned() - skipped;
        }
    }

    private final Map<PacketLine, Reads> reads = new LinkedHashMap<>();

    @Override
    public String name() {
        return "read-responses";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Sent.class,
                HcaEvent.InlineReceived.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Sent sent
            when sent.packet().operation() == Operation.READ_REQUEST ->
                recordRequest(
                        new QpName(sent.port(), sent.element()),
                        sent.packet(),
                        sent.stamp().cause());
            case HcaEvent.MemoryWritten write -> taken(write, traceState, report);
            case HcaEvent.InlineReceived carried -> taken(carried, traceState, report);
            case HcaEvent.MemoryRead read
            when read.remote() ->
                traceState
                        .delivery(read.stamp().cause())
                        .map(FabricEvent.Delivered::packet)
                        .filter(packet -> packet.operation() == Operation.READ_REQUEST)
                        .ifPresent(packet -> answers(QpName.of(read), packet, traceState, report));
            // What is in progress in RTS continues in SQD: only RESET clears it.
            case HcaEvent.StateChanged changed
            when changed.to() == QpState.RESET ->
                reads.keySet().removeIf(line -> line.qp().equals(QpName.of(changed)));
            default -> {}
        }
    }

    private Reads of(PacketLine line) {
        return reads.computeIfAbsent(line, absent -> new Reads());
    }

    private void recordRequest(QpName qp, Packet request, long posting) {
        Reads reads = of(PacketLine.of(qp, request));
        Integer began = reads.requestPsns.get(posting);
        if (began == null) {
            reads.begins(posting, request.psn());
        } else if (began != request.psn()) {
            reads.resumes(request.psn());
        }
    }

    private void taken(HcaEvent event, TraceState traceState, Report report) {
        traceState
                .delivery(event.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> packet.operation().isReadResponse())
                .ifPresent(packet -> taken(QpName.of(event), packet, report));
    }

    private void taken(QpName qp, Packet response, Report report) {
        Reads reads = of(PacketLine.of(qp, response));
        boolean begins = reads.beginnings.contains(response.psn());
        boolean starts = response.operation().starts();
        if (starts && !begins && !reads.resumed.contains(response.psn())) {
            report.broken(
                    qp + " takes " + response.operation() + " psn " + response.psn() + ", but no READ begins there");
        } else if (!starts && begins) {
            report.broken(qp + " takes " + response.operation() + " psn " + response.psn()
                    + " instead of the first response");
        }
    }

    private void answers(QpName qp, Packet request, TraceState traceState, Report report) {
        Reads reads = of(PacketLine.of(qp, request));
        for (Answered each : reads.answered) {
            if (each.covers(request.psn())) {
                if (!each.isRepeatedBy(request)) {
                    report.broken(qp + " answers a READ at psn " + request.psn()
                            + " under key 0x%08x".formatted(request.reth().rkey())
                            + ", which is no part of the READ that was executed at psn " + each.psn);
                }
                return;
            }
        }
        int mtu = traceState
                .queuePair(qp)
                .flatMap(facts -> facts.attribute(QpAttribute.Mtu.class))
                .map(QpAttribute.Mtu::mtu)
                .orElse(PathMtu.BYTES_1024)
                .bytes();
        int packets = Psn.packets(request.reth().lengthUnsigned(), mtu);
        reads.answers(new Answered(request.psn(), packets, mtu, request.reth()));
    }
}
