// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.hcaactors.fabric.packet.HeaderKind;

// rules wire-frame, wire-route, wire-bth, wire-headers, wire-xrc-header, wire-dc-header, wire-dc-connect,
// wire-masked-atomic
/** The headers of a frame with their fields, bit by bit. */
enum PacketFields {
    ETHERNET(
            "Ethernet",
            field("destination", 48, Form.MAC, "the port that gets the frame"),
            field("source", 48, Form.MAC, "the port that sent it"),
            field("type", 16, Form.HEX, "what is in the frame")),
    IPV4(
            "IPv4",
            field("version", 4, Form.NUMBER, "of IP"),
            field("header length", 4, Form.NUMBER, "in words of 4 bytes"),
            field("DSCP", 6, Form.NUMBER, "traffic class: which queue of the network"),
            field("ECN", 2, Form.NUMBER, "congestion: whether it can be marked, and is marked"),
            field("total length", 16, Form.NUMBER, "bytes of the IP packet, this header too"),
            field("identification", 16, Form.HEX, "of the fragments of one packet; RoCE has none"),
            field("flags", 3, Form.NUMBER, "2: never to be fragmented"),
            field("fragment offset", 13, Form.NUMBER, "in units of 8 bytes"),
            field("TTL", 8, Form.NUMBER, "routers that it may still pass"),
            field("protocol", 8, Form.NUMBER, "what is in the packet"),
            field("checksum", 16, Form.HEX, "of this header"),
            field("source", 32, Form.IPV4, "the sender's address; its GID has it mapped into IPv6"),
            field("destination", 32, Form.IPV4, "the receiver's address")),
    IPV6(
            "IPv6",
            field("version", 4, Form.NUMBER, "of IP"),
            field("traffic class", 8, Form.NUMBER, "which queue of the network, and its congestion"),
            field("flow label", 20, Form.HEX, "packets of one flow take one way"),
            field("payload length", 16, Form.NUMBER, "bytes behind this header"),
            field("next header", 8, Form.NUMBER, "what is in the packet"),
            field("hop limit", 8, Form.NUMBER, "routers that it may still pass"),
            field("source", 128, Form.IPV6, "the sender's GID"),
            field("destination", 128, Form.IPV6, "the receiver's GID")),
    UDP(
            "UDP",
            field("source port", 16, Form.NUMBER, "entropy: packets of one flow take one way"),
            field("destination port", 16, Form.NUMBER, "what is in the datagram"),
            field("length", 16, Form.NUMBER, "bytes, this header too"),
            field("checksum", 16, Form.HEX, "0: none, the ICRC covers it")),
    BTH(
            "BTH",
            field("opcode", 8, Form.HEX, "transport and operation"),
            field("SE", 1, Form.NUMBER, "requests a solicited event at the receiver"),
            field("M", 1, Form.NUMBER, "path migration state"),
            field("pad", 2, Form.NUMBER, "bytes that fill the payload up to a multiple of four"),
            field("TVer", 4, Form.NUMBER, "version of the transport, 0"),
            field("P_Key", 16, Form.HEX, "partition"),
            field("FECN", 1, Form.NUMBER, "forward congestion"),
            field("BECN", 1, Form.NUMBER, "backward congestion"),
            field("reserved", 6, Form.NUMBER, "not covered by the ICRC"),
            field("destination QP", 24, Form.NUMBER, "the queue pair that it is for"),
            field("A", 1, Form.NUMBER, "requests an acknowledgement"),
            field("reserved ", 7, Form.NUMBER, "covered by the ICRC"),
            field("PSN", 24, Form.NUMBER, "packet sequence number")),
    RETH(
            HeaderKind.RETH,
            field("virtual address", 64, Form.HEX, "where a WRITE lands or a READ reads, at the responder"),
            field("R_Key", 32, Form.HEX, "the key of that memory"),
            field("DMA length", 32, Form.NUMBER, "bytes of the whole message")),
    ATOMIC_ETH(
            HeaderKind.ATOMIC_ETH,
            field("virtual address", 64, Form.HEX, "of the word, at the responder"),
            field("R_Key", 32, Form.HEX, "the key of that memory"),
            field("swap or add", 64, Form.HEX, "the new value, or what is added"),
            field("compare", 64, Form.HEX, "expected value; 0 in FetchAdd")),
    AETH(
            HeaderKind.AETH,
            field("syndrome", 8, Form.HEX, "acknowledgement, or why not"),
            field("MSN", 24, Form.NUMBER, "messages that the responder has completed")),
    ATOMIC_ACK_ETH(HeaderKind.ATOMIC_ACK_ETH, field("original", 64, Form.HEX, "the value before the atomic")),
    DETH(
            HeaderKind.DETH,
            field("Q_Key", 32, Form.HEX, "must be the receiver's"),
            field("reserved", 8, Form.NUMBER, ""),
            field("source QP", 24, Form.NUMBER, "the queue pair to answer to")),
    IMMEDIATE(HeaderKind.IMMEDIATE, field("immediate", 32, Form.HEX, "for the receiver's completion")),
    IETH(HeaderKind.IETH, field("R_Key", 32, Form.HEX, "the key that the receiver invalidates")),
    ATOMIC_SIZE(
            HeaderKind.ATOMIC_SIZE,
            field("log2 of bytes", 8, Form.NUMBER, "of each operand"),
            field("transport", 8, Form.NUMBER, "bits 7 to 5 of the opcodes of its transport"),
            field("reserved", 16, Form.NUMBER, "")),
    ATOMIC_ADDRESS(
            HeaderKind.ATOMIC_ADDRESS,
            field("virtual address", 64, Form.HEX, "of the value, at the responder; operands are the payload"),
            field("R_Key", 32, Form.HEX, "the key of that memory")),
    XRC_ETH(
            HeaderKind.XRC_ETH,
            field("reserved", 8, Form.NUMBER, ""),
            field("XRCSRQ", 24, Form.NUMBER, "the shared receive queue that it is for")),
    DC_ETH(
            HeaderKind.DC_ETH,
            field("full handshake", 1, Form.NUMBER, "the target accepts no packet without the session"),
            field("reserved", 3, Form.NUMBER, ""),
            field("version", 4, Form.NUMBER, "of the transport"),
            field("session", 24, Form.NUMBER, "0 while the initiator does not know it"),
            field("channel", 8, Form.NUMBER, "stream of the initiator, 0 if it has none"),
            field("sender", 24, Form.NUMBER, "initiator or target that sent it")),
    DC_CONNECT_ETH(
            HeaderKind.DC_CONNECT_ETH,
            field("reserved", 3, Form.NUMBER, ""),
            field("reconnect", 1, Form.NUMBER, "a CONNECT of this session may have arrived before"),
            field("reverse SL", 4, Form.NUMBER, "service level of the answers"),
            field("next PSN", 24, Form.NUMBER, "of the first packet that follows"),
            field("reserved ", 32, Form.HEX, ""),
            field("access key", 64, Form.HEX, "must be the target's"));

    /** Format of a value. */
    enum Form {
        NUMBER,
        HEX,
        MAC,
        IPV4,
        IPV6
    }

    /**
     * A field.
     *
     * @param bits its width; it follows the field before it directly
     * @param meaning explanation for the reader
     */
    record Field(String name, int bits, Form form, String meaning) {}

    private final String title;
    private final List<Field> fields;

    PacketFields(String title, Field... fields) {
        this.title = title;
        this.fields = List.of(fields);
    }

    PacketFields(HeaderKind kind, Field... fields) {
        this(
                switch (kind) {
                    case RETH, AETH, DETH, IETH -> kind.name();
                    case ATOMIC_ETH -> "AtomicETH";
                    case ATOMIC_ACK_ETH -> "AtomicAckETH";
                    case IMMEDIATE -> "ImmDt";
                    case ATOMIC_SIZE -> "atomic size";
                    case ATOMIC_ADDRESS -> "atomic address";
                    case XRC_ETH -> "XRCETH";
                    case DC_ETH -> "DCETH";
                    case DC_CONNECT_ETH -> "DC connect";
                },
                fields);
    }

    private static Field field(String name, int bits, Form form, String meaning) {
        return new Field(name, bits, form, meaning);
    }

    static PacketFields of(HeaderKind kind) {
        return switch (kind) {
            case RETH -> RETH;
            case ATOMIC_ETH -> ATOMIC_ETH;
            case AETH -> AETH;
            case ATOMIC_ACK_ETH -> ATOMIC_ACK_ETH;
            case DETH -> DETH;
            case IMMEDIATE -> IMMEDIATE;
            case IETH -> IETH;
            case ATOMIC_SIZE -> ATOMIC_SIZE;
            case ATOMIC_ADDRESS -> ATOMIC_ADDRESS;
            case XRC_ETH -> XRC_ETH;
            case DC_ETH -> DC_ETH;
            case DC_CONNECT_ETH -> DC_CONNECT_ETH;
        };
    }

    List<Field> fields() {
        return fields;
    }

    int lengthBytes() {
        return fields.stream().mapToInt(Field::bits).sum() / Byte.SIZE;
    }

    /** Returns all headers in the order of their ordinals. */
    static ArrayNode toJson() {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        for (PacketFields header : values()) {
            ObjectNode node = all.addObject();
            node.put("title", header.title);
            node.put("bytes", header.lengthBytes());
            ArrayNode fields = node.putArray("fields");
            for (Field field : header.fields) {
                fields.addArray()
                        .add(field.name().strip())
                        .add(field.bits())
                        .add(field.form().name().toLowerCase(Locale.ROOT))
                        .add(field.meaning());
            }
        }
        return all;
    }
}
