// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.UdpPorts;

/** Contents of datagrams with a right ICRC, for real queue pairs, with any opcode and random headers and payloads. */
final class ForgedPackets {
    private static final Opcode[] OPCODES = Opcode.values();
    private static final int LONGEST_PAYLOAD = 1024;

    /** Payload of a message of communication management, and the bytes of its header that say so. */
    private static final int MAD_BYTES = 256;

    private static final byte[] MAD_OF_CM = {1, 7, 2, 3};
    private static final int MAD_ATTRIBUTE_AT = 16;
    private static final int FIRST_CM_ATTRIBUTE = 0x10;
    private static final int CM_ATTRIBUTES = 12;

    private final Random random;
    private final Route route;
    private final UdpPorts ports;
    private final List<Integer> queuePairs;
    private final List<Integer> keys;
    private final ByteBuffer contents = ByteBuffer.allocate(LONGEST_PAYLOAD + 256);

    /**
     * @param queuePairs destinations; 1 is communication management
     * @param keys that are in the headers with random addresses
     */
    ForgedPackets(long seed, Route route, List<Integer> queuePairs, List<Integer> keys) {
        random = new Random(seed);
        this.route = route;
        ports = new UdpPorts(route.udpSourcePort(), route.udpSourcePort());
        this.queuePairs = queuePairs;
        this.keys = keys;
    }

    /** Returns the next one; it is valid until the next call. */
    ByteBuffer next() {
        DatagramEncoder.encode(packet(), ports, contents.clear());
        return contents.flip();
    }

    private Packet packet() {
        int qp = queuePairs.get(random.nextInt(queuePairs.size()));
        if (qp == 1) {
            return management();
        }
        Opcode any = OPCODES[random.nextInt(OPCODES.length)];
        boolean solicited = random.nextBoolean();
        Opcode opcode = any.solicited(solicited);
        byte[] payload = new byte[opcode.carriesPayload() ? random.nextInt(LONGEST_PAYLOAD + 1) : 0];
        random.nextBytes(payload);
        Bth bth = Bth.of(
                opcode,
                solicited,
                random.nextBoolean(),
                payload.length,
                Bth.DEFAULT_PKEY,
                qp,
                random.nextBoolean(),
                psn());
        return new Packet(
                route,
                bth,
                opcode.extended().stream().map(kind -> header(opcode, kind)).toList(),
                Octets.copyOf(payload));
    }

    private Packet management() {
        byte[] payload = new byte[MAD_BYTES];
        random.nextBytes(payload);
        System.arraycopy(MAD_OF_CM, 0, payload, 0, MAD_OF_CM.length);
        payload[MAD_ATTRIBUTE_AT] = 0;
        payload[MAD_ATTRIBUTE_AT + 1] = (byte) (FIRST_CM_ATTRIBUTE + random.nextInt(CM_ATTRIBUTES));
        Bth bth = Bth.of(Opcode.UD_SEND_ONLY, false, true, MAD_BYTES, Bth.DEFAULT_PKEY, 1, false, psn());
        return new Packet(route, bth, List.of(new ExtendedHeader.Deth(CmDatagram.QKEY, 0, 1)), Octets.copyOf(payload));
    }

    /** Most are near 0, where the queue pairs begin. */
    private int psn() {
        return random.nextInt(4) == 0 ? bits(24) : random.nextInt(64);
    }

    private int bits(int count) {
        return random.nextInt() >>> (Integer.SIZE - count);
    }

    private int key() {
        return keys.get(random.nextInt(keys.size()));
    }

    private ExtendedHeader header(Opcode opcode, HeaderKind kind) {
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(random.nextLong(), key(), bits(12));
            case ATOMIC_ETH ->
                new ExtendedHeader.AtomicEth(random.nextLong(), key(), random.nextLong(), random.nextLong());
            case AETH -> new ExtendedHeader.Aeth(bits(8), bits(24));
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(random.nextLong());
            case DETH -> new ExtendedHeader.Deth(random.nextInt(), 0, bits(24));
            case IMMEDIATE -> new ExtendedHeader.Immediate(random.nextInt());
            case IETH -> new ExtendedHeader.Ieth(key());
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(bits(4), opcode.transport().bits() >>> 5, 0);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(random.nextLong(), key());
            case XRC_ETH -> new ExtendedHeader.XrcEth(0, bits(24));
            case DC_ETH -> new ExtendedHeader.DcEth(bits(8), bits(24), bits(8), bits(24));
            case DC_CONNECT_ETH ->
                new ExtendedHeader.DcConnectEth(random.nextBoolean(), bits(4), bits(24), 0, random.nextLong());
        };
    }
}
