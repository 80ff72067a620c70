package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;

/** Cuts the SENDs and WRITEs of a connection into packets (IBA 9.4; wire-formats 1.6). */
final class DataPackets {
    /** The opcodes of one verb on one transport. */
    private record Opcodes(
            Opcode first, Opcode middle, Opcode last, Opcode lastImmediate, Opcode only, Opcode onlyImmediate) {
        private static final Opcodes[] RC = both(TransportClass.RC);
        private static final Opcodes[] UC = both(TransportClass.UC);

        static Opcodes[] of(TransportClass transport) {
            return transport == TransportClass.RC ? RC : UC;
        }

        private static Opcodes[] both(TransportClass transport) {
            return new Opcodes[] {
                new Opcodes(
                        Opcode.of(transport, Operation.SEND_FIRST),
                        Opcode.of(transport, Operation.SEND_MIDDLE),
                        Opcode.of(transport, Operation.SEND_LAST),
                        Opcode.of(transport, Operation.SEND_LAST_IMM),
                        Opcode.of(transport, Operation.SEND_ONLY),
                        Opcode.of(transport, Operation.SEND_ONLY_IMM)),
                new Opcodes(
                        Opcode.of(transport, Operation.WRITE_FIRST),
                        Opcode.of(transport, Operation.WRITE_MIDDLE),
                        Opcode.of(transport, Operation.WRITE_LAST),
                        Opcode.of(transport, Operation.WRITE_LAST_IMM),
                        Opcode.of(transport, Operation.WRITE_ONLY),
                        Opcode.of(transport, Operation.WRITE_ONLY_IMM))
            };
        }

        Opcode at(boolean starts, boolean ends, boolean immediate) {
            if (!ends) {
                return starts ? first : middle;
            }
            if (starts) {
                return immediate ? onlyImmediate : only;
            }
            return immediate ? lastImmediate : last;
        }
    }

    private static final int SEND = 0;
    private static final int WRITE = 1;

    private final QpSettings settings;
    private final SendQueue queue;
    private final Payloads payloads;
    private final Opcodes[] opcodes;

    DataPackets(QpSettings settings, SendQueue queue, LocalMemory memory, TransportClass transport) {
        this.settings = settings;
        this.queue = queue;
        this.payloads = new Payloads(queue, memory, transport == TransportClass.RC);
        opcodes = Opcodes.of(transport);
    }

    /** Where payloads come from. */
    Payloads payloads() {
        return payloads;
    }

    /** Bytes of the request at {@code position} that travel before {@code psn}. */
    long bytesBefore(long position, int psn) {
        return (long) Psn.compare(psn, queue.firstPsn(position)) * settings.mtuBytes;
    }

    /** Bytes that travel in it. */
    int bytesIn(Posted posted, long position, int psn) {
        return (int) Math.min(settings.mtuBytes, posted.lengthBytes() - bytesBefore(position, psn));
    }

    /** The packet of that PSN, whose memory was reached in this turn. */
    Packet packet(Headers on, Posted posted, long position, int psn, boolean ackReq, QpEffects effects) {
        boolean isWrite = posted.work() instanceof RdmaWrite;
        OptionalInt immediate = immediateOf(posted);
        boolean starts = psn == queue.firstPsn(position);
        boolean ends = psn == queue.lastPsn(position);
        boolean withImmediate = ends && immediate.isPresent();
        boolean solicited = ends && posted.work().flags().solicited() && (!isWrite || withImmediate);
        long from = bytesBefore(position, psn);
        return on.packet(
                opcodes[isWrite ? WRITE : SEND].at(starts, ends, withImmediate),
                psn,
                ackReq,
                solicited,
                extended(posted, starts, withImmediate, immediate),
                payloads.read(posted, position, from, bytesIn(posted, position, psn), psn, effects));
    }

    private static OptionalInt immediateOf(Posted posted) {
        if (posted.work() instanceof Send send) {
            return send.immediate();
        }
        return posted.work() instanceof RdmaWrite write ? write.immediate() : OptionalInt.empty();
    }

    private static List<ExtendedHeader> extended(
            Posted posted, boolean starts, boolean withImmediate, OptionalInt immediate) {
        if (starts && posted.work() instanceof RdmaWrite write) {
            ExtendedHeader where = new ExtendedHeader.Reth(
                    write.remote().address(), write.remote().rkey(), (int) posted.lengthBytes());
            return withImmediate ? List.of(where, new ExtendedHeader.Immediate(immediate.getAsInt())) : List.of(where);
        }
        return withImmediate ? List.of(new ExtendedHeader.Immediate(immediate.getAsInt())) : List.of();
    }
}
