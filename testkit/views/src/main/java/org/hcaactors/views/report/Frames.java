// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.views.flow.Wording;

/** The packets of a run as bytes, with their headers and the meaning of their codes. */
final class Frames {
    /**
     * Maximum bytes of a frame from its front, unless it carries a message whose fields are shown; of a longer one, the ICRC is
     * kept, too.
     */
    static final int KEPT_BYTES = 192;

    private static final int ICRC_BYTES = 4;

    private final StringTable texts;
    private final Map<List<FieldBlock>, Integer> shapes = new LinkedHashMap<>();
    private final Map<String, SortedMap<Long, String>> meanings = new TreeMap<>();
    private final ObjectNode columns = JsonNodeFactory.instance.objectNode();
    private final ArrayNode bytes = columns.putArray("bytes");
    private final ArrayNode length = columns.putArray("length");
    private final ArrayNode shape = columns.putArray("shape");
    private final ArrayNode payload = columns.putArray("payload");
    private final ArrayNode kind = columns.putArray("kind");
    private final ArrayNode opcode = columns.putArray("opcode");
    private final ArrayNode name = columns.putArray("name");
    private final ArrayNode psn = columns.putArray("psn");

    Frames(StringTable texts) {
        this.texts = texts;
        meaning("UDP.destination port", Route.UDP_DESTINATION_PORT, "RoCEv2");
        meaning("Ethernet.type", 0x0800, "IPv4");
        meaning("Ethernet.type", 0x86DD, "IPv6");
        meaning("IPv4.protocol", 17, "UDP");
        meaning("IPv6.next header", 17, "UDP");
        for (TransportClass transport : TransportClass.values()) {
            meaning("atomic size.transport", transport.number(), transport.name());
        }
    }

    /** Adds a packet as encoded and returns its index. */
    int add(Packet packet) {
        return add(packet, FrameEncoder.encode(packet));
    }

    /** Adds the frame of an event, which may be corrupted or forged, and returns its index. */
    int add(FabricEvent event) {
        return switch (event) {
            case FabricEvent.Corrupted bad -> add(bad.packet(), bad.frame().toArray());
            case FabricEvent.Forged forged ->
                add(forged.packet(), forged.frame().toArray());
            case FabricEvent.Sent sent -> add(sent.packet());
            case FabricEvent.Delivered delivered -> add(delivered.packet());
            case FabricEvent.Dropped dropped -> add(dropped.packet());
            case FabricEvent.Disturbed disturbed -> add(disturbed.packet());
        };
    }

    private int add(Packet packet, byte[] frame) {
        Optional<CmDatagram> message = CmCodec.decode(packet);
        bytes.add(Base64.getEncoder().encodeToString(message.isPresent() ? frame : kept(frame)));
        length.add(frame.length);
        List<FieldBlock> headers = headers(packet);
        message.ifPresent(datagram -> headers.addAll(CmFields.of(datagram.message())));
        shape.add(shapes.computeIfAbsent(headers, any -> shapes.size()));
        payload.add(packet.payload().length());
        kind.add(OpcodeClass.of(packet).ordinal());
        opcode.add(texts.number(packet.opcode().transport() + " " + packet.operation()));
        name.add(texts.number(Wording.of(packet)));
        psn.add(packet.psn());
        explain(packet);
        message.ifPresent(datagram -> explain(datagram.message()));
        return bytes.size() - 1;
    }

    private static byte[] kept(byte[] frame) {
        if (frame.length <= KEPT_BYTES + ICRC_BYTES) {
            return frame;
        }
        byte[] kept = Arrays.copyOf(frame, KEPT_BYTES + ICRC_BYTES);
        System.arraycopy(frame, frame.length - ICRC_BYTES, kept, KEPT_BYTES, ICRC_BYTES);
        return kept;
    }

    private static List<FieldBlock> headers(Packet packet) {
        List<FieldBlock> headers = new ArrayList<>();
        headers.add(PacketFields.ETHERNET);
        headers.add(packet.route().source().isIpv4() ? PacketFields.IPV4 : PacketFields.IPV6);
        headers.add(PacketFields.UDP);
        headers.add(PacketFields.BTH);
        packet.extended().forEach(header -> headers.add(PacketFields.of(header.kind())));
        return headers;
    }

    private void explain(Packet packet) {
        meaning("BTH.opcode", packet.opcode().code(), packet.opcode().transport() + " " + packet.operation());
        for (ExtendedHeader header : packet.extended()) {
            if (header instanceof ExtendedHeader.Aeth aeth) {
                meaning("AETH.syndrome", aeth.syndrome(), Syndrome.describe(aeth.syndrome()));
            } else if (header instanceof ExtendedHeader.AtomicSize size) {
                meaning("atomic size.log2 of bytes", size.logBytes(), size.operandBytes() + " bytes");
            }
        }
    }

    private void explain(CmMessage message) {
        meaning("MAD.management class", 7, "communication management");
        meaning("MAD.method", 3, "Send");
        meaning(
                "MAD.attribute ID",
                message.attribute().id(),
                message.attribute().name());
        CmCode.of(message).forEach(code -> meaning(code.field(), code.value(), code.words()));
    }

    /** Each code has one meaning, except 0x55, which has another one with the solicited bit (rule wire-dc-connect). */
    private void meaning(String field, long value, String words) {
        SortedMap<Long, String> byValue = meanings.computeIfAbsent(field, any -> new TreeMap<>());
        Optional<String> before = Optional.ofNullable(byValue.get(value));
        byValue.put(
                value,
                before.filter(all -> !List.of(all.split(" or ")).contains(words))
                        .map(all -> all + " or " + words)
                        .orElse(before.orElse(words)));
    }

    ObjectNode toJson() {
        ObjectNode all = columns;
        Map<FieldBlock, Integer> blocks = new LinkedHashMap<>();
        ArrayNode lists = all.putArray("shapes");
        for (List<FieldBlock> headers : shapes.keySet()) {
            ArrayNode list = lists.addArray();
            headers.forEach(header -> list.add(blocks.computeIfAbsent(header, any -> blocks.size())));
        }
        ArrayNode anatomy = all.putArray("anatomy");
        blocks.keySet().forEach(block -> anatomy.add(block.toJson()));
        ArrayNode kinds = all.putArray("kinds");
        for (OpcodeClass each : OpcodeClass.values()) {
            kinds.add(each.name().toLowerCase(Locale.ROOT));
        }
        ObjectNode meant = all.putObject("meanings");
        meanings.forEach((field, values) -> {
            ObjectNode node = meant.putObject(field);
            values.forEach((value, words) -> node.put(Long.toString(value), words));
        });
        return all;
    }
}
