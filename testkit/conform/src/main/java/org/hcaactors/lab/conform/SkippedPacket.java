// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.Optional;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAddress;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.TruncatedFrame;
import org.hcaactors.lab.conform.SharedMemoryWords.Range;

/**
 * A packet that is not passed to the machines, because too little is known about it.
 *
 * @param frame its 1-based number in the file
 * @param port index of the capture's interface
 * @param payloadBytes on the wire
 * @param changes range of the responder's memory that it changes; empty if unknown, or if it changes none
 */
record SkippedPacket(int frame, int port, Route route, Bth bth, int payloadBytes, Kind kind, Optional<Range> changes) {
    /** Reasons. */
    enum Kind {
        CUT_SHORT("truncated packets", "packets that depend on truncated packets"),
        // The wire format of masked atomics is not published, so packets captured elsewhere may differ.
        MASKED_ATOMIC("masked atomics", "answers to masked atomics"),
        FORGED("packets forged by an injected fault", "packets that depend on forged packets");

        final String what;
        final String around;

        Kind(String what, String around) {
            this.what = what;
            this.around = around;
        }
    }

    static SkippedPacket of(DecodedFrame seen, TruncatedFrame cut) {
        Optional<Range> changes = cut.extended().stream()
                .flatMap(header -> range(header).stream())
                .findFirst();
        return new SkippedPacket(
                seen.number(), seen.port(), cut.route(), cut.bth(), cut.payloadBytes(), Kind.CUT_SHORT, changes);
    }

    private static Optional<Range> range(ExtendedHeader header) {
        if (header instanceof Reth reth) {
            return Optional.of(new Range(reth.address(), reth.lengthUnsigned()));
        }
        return header instanceof AtomicEth atomic
                ? Optional.of(new Range(atomic.address(), Long.BYTES))
                : Optional.empty();
    }

    static SkippedPacket masked(CapturedPacket packet) {
        AtomicAddress where = packet.packet().atomicAddress();
        Range word = new Range(where.address(), packet.packet().atomicSize().operandBytes());
        return new SkippedPacket(
                packet.frame(),
                packet.port(),
                packet.packet().route(),
                packet.packet().bth(),
                0,
                Kind.MASKED_ATOMIC,
                Optional.of(word));
    }

    /** Creates an entry for a forged packet: no machine would send it, and no requester asked for its effect. */
    static SkippedPacket forged(CapturedPacket captured) {
        Packet packet = captured.packet();
        Optional<Range> changes = packet.extended().stream()
                .flatMap(header -> range(header).stream())
                .findFirst();
        return new SkippedPacket(
                captured.frame(),
                captured.port(),
                packet.route(),
                packet.bth(),
                packet.payload().length(),
                Kind.FORGED,
                changes);
    }

    int psn() {
        return bth.psn();
    }

    Family family() {
        return bth.opcode().operation().family();
    }

    boolean isResponse() {
        return bth.opcode().operation().isResponse();
    }

    /** True if it may have changed any word of the responder's memory. */
    boolean mayChangeMemory() {
        boolean names = bth.opcode().operation().starts();
        return changes.isEmpty() && names && (family() == Family.WRITE || family() == Family.ATOMIC);
    }
}
