// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** Segmentation of a connection's SENDs and WRITEs into packets (IBA 9.4; rule wire-segments). */
public final class DataPackets {
    /** Operations of one verb's packets. */
    private record Parts(
            Operation first,
            Operation middle,
            Operation last,
            Operation lastImmediate,
            Operation only,
            Operation onlyImmediate) {
        static final Parts SEND = new Parts(
                Operation.SEND_FIRST,
                Operation.SEND_MIDDLE,
                Operation.SEND_LAST,
                Operation.SEND_LAST_IMM,
                Operation.SEND_ONLY,
                Operation.SEND_ONLY_IMM);
        /** Always ends with a key. */
        static final Parts SEND_WITH_INVALIDATE = new Parts(
                Operation.SEND_FIRST,
                Operation.SEND_MIDDLE,
                Operation.SEND_LAST_INV,
                Operation.SEND_LAST_INV,
                Operation.SEND_ONLY_INV,
                Operation.SEND_ONLY_INV);

        static final Parts WRITE = new Parts(
                Operation.WRITE_FIRST,
                Operation.WRITE_MIDDLE,
                Operation.WRITE_LAST,
                Operation.WRITE_LAST_IMM,
                Operation.WRITE_ONLY,
                Operation.WRITE_ONLY_IMM);

        Operation at(boolean starts, boolean ends, boolean immediate) {
            if (!ends) {
                return starts ? first : middle;
            }
            if (starts) {
                return immediate ? onlyImmediate : only;
            }
            return immediate ? lastImmediate : last;
        }
    }

    private final QpSettings settings;
    private final PsnWindow window;
    private final Payloads payloads;

    public DataPackets(QpSettings settings, PsnWindow window, Payloads payloads) {
        this.settings = settings;
        this.window = window;
        this.payloads = payloads;
    }

    /** Returns the source of the payloads. */
    public Payloads payloads() {
        return payloads;
    }

    /** Number of bytes of the request at {@code position} in packets before {@code psn}. */
    public long bytesBefore(long position, int psn) {
        return (long) Psn.compare(psn, window.firstPsn(position)) * settings.mtuBytes;
    }

    /** Number of bytes in the packet that starts {@code from} bytes into its request. */
    public int bytesIn(PostedRequest posted, long from) {
        return (int) Math.min(settings.mtuBytes, posted.lengthBytes() - from);
    }

    // rule wire-solicited
    /**
     * Returns the packet with that PSN, whose memory was checked in this turn.
     *
     * @param from number of bytes of the request at {@code position} in earlier packets
     */
    public Packet packet(
            Headers on, PostedRequest posted, long position, long from, int psn, boolean ackReq, Turn turn) {
        int count = bytesIn(posted, from);
        boolean starts = from == 0;
        boolean ends = from + count == posted.lengthBytes();
        OptionalInt immediate = immediateOf(posted);
        boolean withImmediate = ends && immediate.isPresent();
        boolean isWrite = posted.kind() == CompletionKind.RDMA_WRITE;
        boolean solicited = ends && posted.isSolicited() && (!isWrite || withImmediate);
        return on.packet(
                partsOf(posted).at(starts, ends, withImmediate),
                psn,
                ackReq,
                solicited,
                extended(posted, starts, ends, immediate),
                payloads.read(posted, position, from, count, psn, turn));
    }

    /** Returns a middle packet of a message, which has only payload and requests no acknowledgement. */
    public Packet middle(Headers on, PostedRequest posted, long position, long from, int psn, Turn turn) {
        Octets payload = payloads.read(posted, position, from, settings.mtuBytes, psn, turn);
        return on.packet(partsOf(posted).middle, psn, false, false, List.of(), payload);
    }

    /**
     * Returns several middle packets of a WRITE whose payloads are {@linkplain Payloads#lends lent}, as a run.
     *
     * @param from number of bytes of the request in earlier packets
     */
    public Packet run(Headers on, PostedRequest posted, long from, int psn, int packets, Turn turn) {
        Octets payload = payloads.lend(posted, from, packets * settings.mtuBytes, packets, turn);
        return on.packet(Operation.WRITE_MIDDLE, psn, false, false, List.of(), payload);
    }

    private static OptionalInt immediateOf(PostedRequest posted) {
        if (posted.isBare()) {
            return OptionalInt.empty();
        }
        if (posted.work() instanceof Send send) {
            return send.immediate();
        }
        return posted.work() instanceof RdmaWrite write ? write.immediate() : OptionalInt.empty();
    }

    private static Parts partsOf(PostedRequest posted) {
        if (posted.isBare()) {
            return Parts.SEND;
        }
        if (posted.work() instanceof Send send) {
            return send.invalidate().isPresent() ? Parts.SEND_WITH_INVALIDATE : Parts.SEND;
        }
        return Parts.WRITE;
    }

    private static List<ExtendedHeader> extended(
            PostedRequest posted, boolean starts, boolean ends, OptionalInt immediate) {
        if (posted.isBare()) {
            return List.of();
        }
        boolean withImmediate = ends && immediate.isPresent();
        if (starts && posted.work() instanceof RdmaWrite write) {
            ExtendedHeader where = new ExtendedHeader.Reth(
                    write.remote().address(), write.remote().rkey(), (int) posted.lengthBytes());
            return withImmediate ? List.of(where, new ExtendedHeader.Immediate(immediate.getAsInt())) : List.of(where);
        }
        if (withImmediate) {
            return List.of(new ExtendedHeader.Immediate(immediate.getAsInt()));
        }
        return ends && posted.work() instanceof Send send && send.invalidate().isPresent()
                ? List.of(new ExtendedHeader.Ieth(send.invalidate().getAsInt()))
                : List.of();
    }
}
