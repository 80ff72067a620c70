// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.FrameDamage;
import org.hcaactors.fabric.wire.FrameEncoder;

/** Encoder of a forged packet: applies the changes of fields first, then the damage to the bytes. */
final class Forger {
    /** Value of added payload bytes. */
    static final byte FILLING = (byte) 0xEE;

    private static final int ETHERNET = 14;
    private static final int UDP = 8;
    private static final long LOW_ADDRESS = 0xFFFF_FFFFL;

    private final Map<ForgedField, Long> values;
    private final Packet model;
    private final Forgery forgery;

    private Forger(Packet model, Forgery forgery) {
        this.model = model;
        this.forgery = forgery;
        values = ForgedField.of(model);
        boolean same = forgery.edits().stream().noneMatch(edit -> edit.field() == ForgedField.OPCODE);
        if (forgery.back() && !(same && model.opcode().isSelectedBySolicited())) {
            values.put(ForgedField.SOLICITED, 0L);
        }
        for (Forgery.Edit edit : forgery.edits()) {
            long before = edit.relative() ? value(edit.field()) : 0;
            values.put(edit.field(), edit.field().cut(before + edit.value()));
        }
    }

    /** Returns the frame from the Ethernet header on. */
    static Octets frame(PacketInTransit passing, Forgery forgery) {
        Packet model = forgery.back() ? turned(passing) : passing.packet();
        byte[] frame = new Forger(model, forgery).bytes();
        return Octets.copyOf(frame);
    }

    /** Returns the packet with source and destination exchanged; over DC the sender is exchanged as well. */
    private static Packet turned(PacketInTransit passing) {
        Packet packet = passing.packet();
        Route route = packet.route();
        Bth bth = packet.bth();
        Bth back = bth.withDestQp(passing.fromQp()).withAckReq(false);
        List<ExtendedHeader> headers = packet.extended().stream()
                .map(header -> turned(header, bth.destQp()))
                .toList();
        return new Packet(route.reversed(), back, headers, packet.payload());
    }

    // rule wire-dc-header
    private static ExtendedHeader turned(ExtendedHeader header, int sender) {
        return header instanceof ExtendedHeader.DcEth dc
                ? new ExtendedHeader.DcEth(dc.flags(), dc.sessionId(), dc.channel(), sender)
                : header;
    }

    private byte[] bytes() {
        int code = (int) value(ForgedField.OPCODE);
        // An unassigned opcode is encoded with the headers of the original packet.
        Opcode opcode = opcode(code).orElse(model.opcode()).solicited(flag(ForgedField.SOLICITED));
        int length = opcode.carriesPayload() ? (int) value(ForgedField.PAYLOAD) : 0;
        List<ExtendedHeader> headers =
                opcode.extended().stream().map(kind -> header(kind, opcode)).toList();
        byte[] frame = FrameEncoder.encode(new Packet(route(), bth(opcode, length), headers, payload(length)));
        if (opcode.code() != code) {
            int at = ETHERNET + (model.route().source().isIpv4() ? 20 : 40) + UDP;
            frame = new FrameDamage.Poke(at, code).in(frame);
        }
        return forgery.damage().isPresent() ? forgery.damage().get().in(frame) : frame;
    }

    // rule wire-masked-atomic
    /** A code that several transports share means the opcode of the packet's own transport, or else of RC. */
    private Optional<Opcode> opcode(int code) {
        return Opcode.isShared(code)
                ? Opcode.of(model.opcode().transport(), code).or(() -> Opcode.of(TransportClass.RC, code))
                : Opcode.of(code);
    }

    private Route route() {
        Route route = model.route();
        PortAddress source = route.source();
        PortAddress alleged =
                new PortAddress(source.high(), source.low() & ~LOW_ADDRESS | value(ForgedField.SOURCE) & LOW_ADDRESS);
        return new Route(
                alleged,
                route.destination(),
                (int) value(ForgedField.TRAFFIC_CLASS),
                (int) value(ForgedField.HOP_LIMIT),
                route.flowLabel(),
                route.udpSourcePort(),
                route.identification(),
                route.flags());
    }

    private Bth bth(Opcode opcode, int length) {
        byte pad = values.containsKey(ForgedField.PAD) ? (byte) value(ForgedField.PAD) : Bth.padFor(length);
        return new Bth(
                opcode,
                flag(ForgedField.SOLICITED),
                flag(ForgedField.MIG_REQ),
                pad,
                (byte) value(ForgedField.VERSION),
                (int) value(ForgedField.PKEY),
                flag(ForgedField.FECN),
                flag(ForgedField.BECN),
                (byte) value(ForgedField.RESERVED6),
                (int) value(ForgedField.QP),
                flag(ForgedField.ACK_REQ),
                (byte) value(ForgedField.RESERVED7),
                (int) value(ForgedField.PSN));
    }

    private Octets payload(int length) {
        byte[] bytes = new byte[length];
        int kept = Math.min(length, model.payload().length());
        model.payload().slice(0, kept).copyTo(bytes, 0);
        Arrays.fill(bytes, kept, length, FILLING);
        return Octets.copyOf(bytes);
    }

    private ExtendedHeader header(HeaderKind kind, Opcode opcode) {
        return switch (kind) {
            case RETH ->
                new ExtendedHeader.Reth(
                        value(ForgedField.ADDRESS), (int) value(ForgedField.RKEY), (int) value(ForgedField.LENGTH));
            case ATOMIC_ETH ->
                new ExtendedHeader.AtomicEth(
                        value(ForgedField.ADDRESS),
                        (int) value(ForgedField.RKEY),
                        value(ForgedField.SWAP_OR_ADD),
                        value(ForgedField.COMPARE));
            case AETH -> new ExtendedHeader.Aeth((int) value(ForgedField.SYNDROME), (int) value(ForgedField.MSN));
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(value(ForgedField.ORIGINAL));
            case DETH -> new ExtendedHeader.Deth((int) value(ForgedField.QKEY), 0, (int) value(ForgedField.SOURCE_QP));
            case IMMEDIATE -> new ExtendedHeader.Immediate((int) value(ForgedField.IMMEDIATE));
            case IETH -> new ExtendedHeader.Ieth((int) value(ForgedField.INVALIDATED));
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(
                        (int) value(ForgedField.ATOMIC_SIZE), opcode.transport().number(), 0);
            case ATOMIC_ADDRESS ->
                new ExtendedHeader.AtomicAddress(value(ForgedField.ADDRESS), (int) value(ForgedField.RKEY));
            case XRC_ETH -> new ExtendedHeader.XrcEth(0, (int) value(ForgedField.XRC_SRQ));
            case DC_ETH ->
                new ExtendedHeader.DcEth(
                        (int) value(ForgedField.DC_FLAGS),
                        (int) value(ForgedField.SESSION),
                        (int) value(ForgedField.CHANNEL),
                        (int) value(ForgedField.SENDER));
            case DC_CONNECT_ETH ->
                new ExtendedHeader.DcConnectEth(
                        flag(ForgedField.RECONNECT),
                        (int) value(ForgedField.REVERSE_SL),
                        (int) value(ForgedField.NEXT_PSN),
                        0,
                        value(ForgedField.ACCESS_KEY));
        };
    }

    private boolean flag(ForgedField field) {
        return value(field) != 0;
    }

    private long value(ForgedField field) {
        return values.getOrDefault(field, 0L);
    }
}
