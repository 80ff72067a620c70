// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.IpHeader;
import org.hcaactors.fabric.wire.RoceFrame;
import org.hcaactors.fabric.wire.TruncatedFrame;

/** A decoded packet as one JSON object. 64-bit values are strings, as not every JSON reader keeps them exactly. */
final class PacketJson {
    private PacketJson() {}

    static ObjectNode of(int frame, RoceFrame decoded) {
        Packet packet = decoded.packet();
        ObjectNode json = headers(frame, decoded.ip(), packet.route(), packet.bth(), packet.extended());
        CmCodec.decode(packet).ifPresent(datagram -> json.set("cm", CmJson.of(datagram)));
        json.put("payloadBytes", packet.payload().length());
        json.put("payloadCrc32", Integer.toUnsignedLong(packet.payload().crc32()));
        json.put("icrc", "%08x".formatted(decoded.icrc()));
        json.put("icrcOk", decoded.icrcOk());
        return json;
    }

    /** Converts a packet that was cut off, without the values that need all of it. */
    static ObjectNode of(int frame, TruncatedFrame cut) {
        ObjectNode json = headers(frame, cut.ip(), cut.route(), cut.bth(), cut.extended());
        json.put("payloadBytes", cut.payloadBytes());
        json.put("cutShort", true);
        json.put("missing", cut.missing());
        json.put("icrcNotChecked", "cut short");
        return json;
    }

    private static ObjectNode headers(int frame, IpHeader ip, Route route, Bth bth, List<ExtendedHeader> extended) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("frame", frame);
        if (ip instanceof IpHeader.Grh) {
            json.put("roceVersion", 1);
        }
        json.put("source", route.source().toString());
        json.put("destination", route.destination().toString());
        json.put("opcode", bth.opcode().code());
        json.put("opcodeName", bth.opcode().name());
        json.put("solicited", bit(bth.solicited()));
        json.put("migReq", bit(bth.migReq()));
        json.put("padCount", bth.padCount());
        json.put("tver", bth.transportVersion());
        json.put("pkey", bth.pkey());
        json.put("destQp", bth.destQp());
        json.put("ackReq", bit(bth.ackReq()));
        json.put("psn", bth.psn());
        for (ExtendedHeader header : extended) {
            extended(json, header);
        }
        return json;
    }

    private static void extended(ObjectNode json, ExtendedHeader header) {
        switch (header) {
            case ExtendedHeader.Reth reth ->
                json.putObject("reth")
                        .put("va", Long.toUnsignedString(reth.address()))
                        .put("rkey", Integer.toUnsignedLong(reth.rkey()))
                        .put("dmaLen", reth.lengthUnsigned());
            case ExtendedHeader.AtomicEth atomic ->
                json.putObject("atomicEth")
                        .put("va", Long.toUnsignedString(atomic.address()))
                        .put("rkey", Integer.toUnsignedLong(atomic.rkey()))
                        .put("swapOrAdd", Long.toUnsignedString(atomic.swapOrAdd()))
                        .put("compare", Long.toUnsignedString(atomic.compare()));
            case ExtendedHeader.Aeth aeth ->
                json.putObject("aeth").put("syndrome", aeth.syndrome()).put("msn", aeth.msn());
            case ExtendedHeader.AtomicAckEth ack -> json.put("atomicAckEth", Long.toUnsignedString(ack.original()));
            case ExtendedHeader.Deth deth ->
                json.putObject("deth")
                        .put("qkey", Integer.toUnsignedLong(deth.qkey()))
                        .put("srcQp", deth.sourceQp());
            case ExtendedHeader.Immediate immediate -> json.put("imm", Integer.toUnsignedLong(immediate.value()));
            case ExtendedHeader.AtomicSize size -> json.put("atomicBytes", size.operandBytes());
            case ExtendedHeader.AtomicAddress where ->
                json.putObject("atomicAddress")
                        .put("va", Long.toUnsignedString(where.address()))
                        .put("rkey", Integer.toUnsignedLong(where.rkey()));
            case ExtendedHeader.XrcEth xrc -> json.put("xrcSrq", xrc.srqNumber());
            case ExtendedHeader.DcEth dc ->
                json.putObject("dcEth")
                        .put("version", dc.version())
                        .put("fullHandshake", bit(dc.asksForFullHandshake()))
                        .put("session", dc.sessionId())
                        .put("channel", dc.channel())
                        .put("sender", dc.sender());
            case ExtendedHeader.DcConnectEth connect ->
                json.putObject("dcConnectEth")
                        .put("reconnect", bit(connect.reconnect()))
                        .put("reverseSl", connect.reverseSl())
                        .put("nextPsn", connect.nextPsn())
                        .put("accessKey", Long.toUnsignedString(connect.accessKey()));
            case ExtendedHeader.Ieth ieth -> json.put("invalidateRkey", Integer.toUnsignedLong(ieth.rkey()));
        }
    }

    private static int bit(boolean flag) {
        return flag ? 1 : 0;
    }
}
