// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A RoCEv2 packet as it travels inside a JVM: immutable, and serialised only at a border, always by the same codec. The
 * constructor throws IllegalArgumentException for packets that cannot exist on a wire: headers other than those of the opcode,
 * or a payload with an opcode that has none.
 *
 * @param route IP and UDP
 * @param bth base transport header
 * @param extended the headers of the opcode, in wire order
 * @param payload without pad
 */
public record Packet(Route route, Bth bth, List<ExtendedHeader> extended, Octets payload) {
    public Packet {
        Opcode opcode = bth.opcode();
        extended = List.copyOf(extended);
        if (!opcode.hasHeaders(extended)) {
            throw new IllegalArgumentException(opcode + " has the headers " + opcode.extended() + ", not " + extended);
        }
        if (opcode.operation().isMasked() && !isOf(opcode.transport(), extended)) {
            throw new IllegalArgumentException(
                    opcode + " belongs to transport " + opcode.transport().number() + ", not " + extended);
        }
        if (payload.length() > 0 && !opcode.carriesPayload()) {
            throw new IllegalArgumentException(opcode + " carries no payload, but the payload is " + payload);
        }
    }

    // rule wire-masked-atomic
    private static boolean isOf(TransportClass transport, List<ExtendedHeader> extended) {
        return extended.getFirst() instanceof ExtendedHeader.AtomicSize size && size.transport() == transport.number();
    }

    public Opcode opcode() {
        return bth.opcode();
    }

    public Operation operation() {
        return bth.opcode().operation();
    }

    public int psn() {
        return bth.psn();
    }

    public ExtendedHeader.Reth reth() {
        return (ExtendedHeader.Reth) header(HeaderKind.RETH);
    }

    public ExtendedHeader.Aeth aeth() {
        return (ExtendedHeader.Aeth) header(HeaderKind.AETH);
    }

    public ExtendedHeader.AtomicEth atomicEth() {
        return (ExtendedHeader.AtomicEth) header(HeaderKind.ATOMIC_ETH);
    }

    public ExtendedHeader.AtomicAckEth atomicAckEth() {
        return (ExtendedHeader.AtomicAckEth) header(HeaderKind.ATOMIC_ACK_ETH);
    }

    public ExtendedHeader.AtomicSize atomicSize() {
        return (ExtendedHeader.AtomicSize) header(HeaderKind.ATOMIC_SIZE);
    }

    public ExtendedHeader.AtomicAddress atomicAddress() {
        return (ExtendedHeader.AtomicAddress) header(HeaderKind.ATOMIC_ADDRESS);
    }

    public ExtendedHeader.Deth deth() {
        return (ExtendedHeader.Deth) header(HeaderKind.DETH);
    }

    public ExtendedHeader.Immediate immediate() {
        return (ExtendedHeader.Immediate) header(HeaderKind.IMMEDIATE);
    }

    public ExtendedHeader.Ieth ieth() {
        return (ExtendedHeader.Ieth) header(HeaderKind.IETH);
    }

    public ExtendedHeader.XrcEth xrcEth() {
        return (ExtendedHeader.XrcEth) header(HeaderKind.XRC_ETH);
    }

    public ExtendedHeader.DcEth dcEth() {
        return (ExtendedHeader.DcEth) header(HeaderKind.DC_ETH);
    }

    public ExtendedHeader.DcConnectEth dcConnectEth() {
        return (ExtendedHeader.DcConnectEth) header(HeaderKind.DC_CONNECT_ETH);
    }

    /** Returns the immediate data, if the opcode has it. */
    public OptionalInt immediateIfAny() {
        return operation().carriesImmediate() ? OptionalInt.of(immediate().value()) : OptionalInt.empty();
    }

    /** Returns the number of the shared receive queue, if the opcode has an XRCETH. */
    public OptionalInt srqIfAny() {
        return opcode().extended().contains(HeaderKind.XRC_ETH)
                ? OptionalInt.of(xrcEth().srqNumber())
                : OptionalInt.empty();
    }

    /**
     * Returns the header of that kind.
     *
     * @throws NoSuchElementException if this opcode does not have it
     */
    public ExtendedHeader header(HeaderKind kind) {
        for (int i = 0; i < extended.size(); i++) {
            ExtendedHeader header = extended.get(i);
            if (header.kind() == kind) {
                return header;
            }
        }
        throw new NoSuchElementException(bth.opcode() + " has no header " + kind);
    }

    /** Returns the length of the Ethernet frame, from the MAC addresses to the ICRC. */
    public int frameBytes() {
        return 14 + ipBytes();
    }

    /** Returns the length of the IP packet, which the MTU of a link bounds; of each packet of a run. */
    public int ipBytes() {
        int ip = route.source().isIpv4() ? 20 : 40;
        return ip
                + 8
                + Bth.LENGTH_BYTES
                + bth.opcode().extendedBytes()
                + payload.length() / packets()
                + bth.padCount()
                + 4;
    }

    /**
     * True if this object stands for several middle packets of one message, with consecutive PSNs and payloads of equal length.
     * Only a sender whose packets go to a receiver on its own shard, where no observer sees them, makes runs ({@link Loan}).
     */
    public boolean isRun() {
        return packets() > 1;
    }

    /** Returns the number of packets that this object stands for: 1, unless it is a run. */
    public int packets() {
        return payload.packets();
    }

    /** Returns the PSN of the last packet. */
    public int lastPsn() {
        return Psn.plus(bth.psn(), packets() - 1);
    }

    /** Returns the packets of a run, in order, or this packet. */
    public List<Packet> split() {
        if (!isRun()) {
            return List.of(this);
        }
        int each = payload.length() / packets();
        return IntStream.range(0, packets())
                .mapToObj(i ->
                        new Packet(route, bth.withPsn(Psn.plus(bth.psn(), i)), extended, payload.slice(i * each, each)))
                .toList();
    }

    /** Copies the payload if it is lent, since the packet may be held for longer than the loan lasts. */
    public void settle() {
        payload.settle();
    }

    /** Returns the packets as anyone may see and hold them: settled, and without runs. */
    public static Packet[] settledAndSplit(Packet[] batch) {
        boolean hasRuns = false;
        for (Packet packet : batch) {
            packet.settle();
            hasRuns |= packet.isRun();
        }
        return hasRuns
                ? Arrays.stream(batch)
                        .flatMap(packet -> packet.split().stream())
                        .toArray(Packet[]::new)
                : batch;
    }

    public Packet withRoute(Route other) {
        return new Packet(other, bth, extended, payload);
    }

    public Packet withBth(Bth other) {
        return new Packet(route, other, extended, payload);
    }

    /** Replaces the payload and adjusts the pad count. */
    public Packet withPayload(Octets other) {
        return new Packet(route, bth.withPadFor(other.length()), extended, other);
    }
}
