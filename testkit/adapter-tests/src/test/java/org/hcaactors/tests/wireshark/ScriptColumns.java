// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wireshark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** A packet's line as tshark prints it with the script's fields, built from our decoder's result. */
final class ScriptColumns {
    private static final String FORM = "hca.form";

    static final List<String> NAMES = List.of(
            "infiniband.bth.psn",
            "hca.transport",
            "hca.bth.operation",
            "hca.bth.opcode",
            "hca.bth.solicited",
            "hca.bth.pkey",
            "hca.bth.dest_qp",
            "hca.bth.ack_req",
            "hca.bth.psn",
            "hca.dc.full_handshake",
            "hca.dc.version",
            "hca.dc.session",
            "hca.dc.channel",
            "hca.dc.sender",
            "hca.dc.reconnect",
            "hca.dc.reverse_sl",
            "hca.dc.next_psn",
            "hca.dc.access_key",
            "hca.xrc.srq",
            "hca.atomic.size",
            "hca.atomic.swap",
            "hca.atomic.compare",
            "hca.atomic.swap_mask",
            "hca.atomic.compare_mask",
            "hca.atomic.add",
            "hca.atomic.boundary",
            "hca.atomic.original",
            "hca.atomic.swap_or_add",
            "hca.atomic.compare_with",
            "hca.address",
            "hca.rkey",
            "hca.length",
            "hca.aeth.syndrome",
            "hca.aeth.msn",
            "hca.immediate",
            "hca.invalidates",
            "hca.payload",
            "hca.problem",
            FORM);

    private static final int FORM_AT = NAMES.indexOf(FORM);

    private final Map<String, String> values = new HashMap<>();

    private ScriptColumns() {}

    /** Returns the line without the comment on the format, which is the capture's. */
    static String line(Packet packet) {
        ScriptColumns columns = new ScriptColumns();
        boolean ours = packet.opcode().transport() == TransportClass.DC
                || packet.operation().isMasked();
        if (ours) {
            columns.read(packet);
        } else {
            columns.put("infiniband.bth.psn", packet.psn());
        }
        List<String> line = new ArrayList<>();
        NAMES.forEach(name -> line.add(columns.values.getOrDefault(name, "")));
        return String.join("\t", line);
    }

    /** Normalizes a line: versions of tshark print bits and bytes differently. */
    static String inOneSpelling(String printed) {
        List<String> line = new ArrayList<>();
        String[] values = printed.split("\t", -1);
        for (int i = 0; i < values.length; i++) {
            String value = values[i].equals("True") ? "1" : values[i].equals("False") ? "0" : values[i];
            line.add(i == FORM_AT ? "" : value.replace(":", ""));
        }
        return String.join("\t", line);
    }

    static String form(String printed) {
        return printed.split("\t", -1)[FORM_AT];
    }

    private void read(Packet packet) {
        Bth bth = packet.bth();
        values.put("hca.transport", bth.opcode().transport().name());
        values.put("hca.bth.operation", packet.operation().name());
        hex("hca.bth.opcode", bth.opcode().code(), 2);
        put("hca.bth.solicited", bth.solicited() ? 1 : 0);
        hex("hca.bth.pkey", bth.pkey(), 4);
        hex("hca.bth.dest_qp", bth.destQp(), 6);
        put("hca.bth.ack_req", bth.ackReq() ? 1 : 0);
        put("hca.bth.psn", bth.psn());
        packet.extended().forEach(this::read);
        byte[] payload = packet.payload().toArray();
        if (payload.length > 0) {
            values.put("hca.payload", HexFormat.of().formatHex(payload));
        }
        if (packet.operation().isMasked()) {
            operands(packet.operation(), payload);
        }
    }

    private void operands(Operation operation, byte[] payload) {
        List<String> names = operation == Operation.MASKED_FETCH_ADD
                ? List.of("add", "boundary")
                : List.of("swap", "compare", "swap_mask", "compare_mask");
        int size = payload.length / names.size();
        put("hca.atomic.size", size);
        for (int i = 0; i < names.size(); i++) {
            values.put("hca.atomic." + names.get(i), HexFormat.of().formatHex(payload, i * size, (i + 1) * size));
        }
    }

    private void read(ExtendedHeader header) {
        switch (header) {
            case ExtendedHeader.DcEth dc -> {
                put("hca.dc.full_handshake", dc.asksForFullHandshake() ? 1 : 0);
                put("hca.dc.version", dc.version());
                put("hca.dc.session", dc.sessionId());
                put("hca.dc.channel", dc.channel());
                hex("hca.dc.sender", dc.sender(), 6);
            }
            case ExtendedHeader.DcConnectEth connect -> {
                put("hca.dc.reconnect", connect.reconnect() ? 1 : 0);
                put("hca.dc.reverse_sl", connect.reverseSl());
                put("hca.dc.next_psn", connect.nextPsn());
                hex("hca.dc.access_key", connect.accessKey(), 16);
            }
            case ExtendedHeader.Reth reth -> {
                where(reth.address(), reth.rkey());
                put("hca.length", reth.lengthUnsigned());
            }
            case ExtendedHeader.AtomicEth atomic -> {
                where(atomic.address(), atomic.rkey());
                hex("hca.atomic.swap_or_add", atomic.swapOrAdd(), 16);
                hex("hca.atomic.compare_with", atomic.compare(), 16);
            }
            case ExtendedHeader.AtomicAddress at -> where(at.address(), at.rkey());
            case ExtendedHeader.Aeth aeth -> {
                hex("hca.aeth.syndrome", aeth.syndrome(), 2);
                put("hca.aeth.msn", aeth.msn());
            }
            case ExtendedHeader.AtomicAckEth original -> hex("hca.atomic.original", original.original(), 16);
            case ExtendedHeader.Immediate immediate ->
                hex("hca.immediate", Integer.toUnsignedLong(immediate.value()), 8);
            case ExtendedHeader.Ieth ieth -> hex("hca.invalidates", Integer.toUnsignedLong(ieth.rkey()), 8);
            case ExtendedHeader.XrcEth xrc -> put("hca.xrc.srq", xrc.srqNumber());
            case ExtendedHeader.AtomicSize size -> {}
            case ExtendedHeader.Deth deth -> throw new IllegalArgumentException("no datagram is ours");
        }
    }

    private void where(long address, int rkey) {
        hex("hca.address", address, 16);
        hex("hca.rkey", Integer.toUnsignedLong(rkey), 8);
    }

    private void put(String name, long value) {
        values.put(name, Long.toString(value));
    }

    private void hex(String name, long value, int digits) {
        values.put(name, "0x" + HexFormat.of().toHexDigits(value, digits));
    }
}
