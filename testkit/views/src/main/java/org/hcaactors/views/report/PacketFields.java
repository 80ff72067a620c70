// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.List;
import org.hcaactors.fabric.packet.HeaderKind;

// rules wire-frame, wire-route, wire-bth, wire-headers, wire-xrc-header, wire-dc-header, wire-dc-connect,
// wire-masked-atomic
/** The headers of a frame with their fields, bit by bit. */
enum PacketFields implements FieldBlock {
    ETHERNET(
            "Ethernet",
            field("destination", 48, Form.MAC, "MAC address of the port that receives the frame"),
            field("source", 48, Form.MAC, "MAC address of the port that sent the frame"),
            field("type", 16, Form.HEX, "protocol of the payload")),
    IPV4(
            "IPv4",
            field("version", 4, Form.NUMBER, "version of IP"),
            field("header length", 4, Form.NUMBER, "length of this header in words of 4 bytes"),
            field("DSCP", 6, Form.NUMBER, "traffic class, which selects the queue in switches"),
            field("ECN", 2, Form.NUMBER, "congestion: 0 not markable, 1 and 2 markable, 3 marked by a switch"),
            field("total length", 16, Form.NUMBER, "bytes of the IP packet, including this header"),
            field(
                    "identification",
                    16,
                    Form.HEX,
                    "number that joins the fragments of a packet; RoCE does not fragment"),
            field("flags", 3, Form.NUMBER, "2: routers must not fragment the packet"),
            field("fragment offset", 13, Form.NUMBER, "position of this fragment in units of 8 bytes"),
            field("TTL", 8, Form.NUMBER, "maximum number of routers that may still forward the packet"),
            field("protocol", 8, Form.NUMBER, "protocol of the payload"),
            field("checksum", 16, Form.HEX, "checksum of this header"),
            field("source", 32, Form.IPV4, "IPv4 address of the sender; its GID is this address mapped into IPv6"),
            field("destination", 32, Form.IPV4, "IPv4 address of the receiver")),
    IPV6(
            "IPv6",
            field("version", 4, Form.NUMBER, "version of IP"),
            field("traffic class", 8, Form.NUMBER, "DSCP, which selects the queue in switches, and ECN"),
            field(
                    "flow label",
                    20,
                    Form.HEX,
                    "number of the flow: routers send all packets of a flow by the same path"),
            field("payload length", 16, Form.NUMBER, "bytes after this header"),
            field("next header", 8, Form.NUMBER, "protocol of the payload"),
            field("hop limit", 8, Form.NUMBER, "maximum number of routers that may still forward the packet"),
            field("source", 128, Form.IPV6, "GID of the sender"),
            field("destination", 128, Form.IPV6, "GID of the receiver")),
    UDP(
            "UDP",
            field("source port", 16, Form.NUMBER, "entropy: switches send packets with the same port by the same path"),
            field("destination port", 16, Form.NUMBER, "protocol of the payload; 4791 is RoCEv2"),
            field("length", 16, Form.NUMBER, "bytes of the datagram, including this header"),
            field("checksum", 16, Form.HEX, "0: no checksum; the ICRC protects the packet")),
    BTH(
            "BTH",
            field("opcode", 8, Form.HEX, "transport and operation"),
            field("SE", 1, Form.NUMBER, "requests a solicited event at the receiver"),
            field("M", 1, Form.NUMBER, "path migration state"),
            field("pad", 2, Form.NUMBER, "bytes that pad the payload to a multiple of four"),
            field("TVer", 4, Form.NUMBER, "version of the transport header, 0"),
            field("P_Key", 16, Form.HEX, "key of the partition"),
            field("FECN", 1, Form.NUMBER, "a switch marked this packet because of congestion"),
            field("BECN", 1, Form.NUMBER, "the receiver should reduce its sending rate"),
            field("reserved", 6, Form.NUMBER, "reserved bits that the ICRC does not cover"),
            field("destination QP", 24, Form.NUMBER, "number of the receiving queue pair"),
            field("A", 1, Form.NUMBER, "requests an acknowledgement"),
            field("reserved ", 7, Form.NUMBER, "reserved bits that the ICRC covers"),
            field("PSN", 24, Form.NUMBER, "packet sequence number")),
    RETH(
            HeaderKind.RETH,
            field(
                    "virtual address",
                    64,
                    Form.HEX,
                    "first address that a WRITE writes or a READ reads at the responder"),
            field("R_Key", 32, Form.HEX, "key of the memory at the virtual address"),
            field("DMA length", 32, Form.NUMBER, "bytes of the whole message")),
    ATOMIC_ETH(
            HeaderKind.ATOMIC_ETH,
            field("virtual address", 64, Form.HEX, "address of the 8-byte word at the responder"),
            field("R_Key", 32, Form.HEX, "key of the memory at the virtual address"),
            field("swap or add", 64, Form.HEX, "new value of a compare-and-swap, or addend of a fetch-and-add"),
            field("compare", 64, Form.HEX, "expected value of a compare-and-swap; 0 in a fetch-and-add")),
    AETH(
            HeaderKind.AETH,
            field("syndrome", 8, Form.HEX, "acknowledgement, RNR NAK, or NAK with its reason"),
            field("MSN", 24, Form.NUMBER, "number of messages that the responder has completed")),
    ATOMIC_ACK_ETH(HeaderKind.ATOMIC_ACK_ETH, field("original", 64, Form.HEX, "value of the word before the atomic")),
    DETH(
            HeaderKind.DETH,
            field("Q_Key", 32, Form.HEX, "must equal the Q_Key of the receiving queue pair"),
            field("reserved", 8, Form.NUMBER, ""),
            field("source QP", 24, Form.NUMBER, "number of the sending queue pair, to which an answer is sent")),
    IMMEDIATE(HeaderKind.IMMEDIATE, field("immediate", 32, Form.HEX, "immediate data for the receiver's completion")),
    IETH(HeaderKind.IETH, field("R_Key", 32, Form.HEX, "the key that the receiver invalidates")),
    ATOMIC_SIZE(
            HeaderKind.ATOMIC_SIZE,
            field("log2 of bytes", 8, Form.NUMBER, "log2 of the bytes of each operand"),
            field("transport", 8, Form.NUMBER, "bits 7 to 5 of the opcodes of its transport"),
            field("reserved", 16, Form.NUMBER, "")),
    ATOMIC_ADDRESS(
            HeaderKind.ATOMIC_ADDRESS,
            field(
                    "virtual address",
                    64,
                    Form.HEX,
                    "address of the value at the responder; the payload contains the operands"),
            field("R_Key", 32, Form.HEX, "key of the memory at the virtual address")),
    XRC_ETH(
            HeaderKind.XRC_ETH,
            field("reserved", 8, Form.NUMBER, ""),
            field("XRCSRQ", 24, Form.NUMBER, "number of the shared receive queue of this message")),
    DC_ETH(
            HeaderKind.DC_ETH,
            field("full handshake", 1, Form.NUMBER, "the target accepts only packets with its session number"),
            field("reserved", 3, Form.NUMBER, ""),
            field("version", 4, Form.NUMBER, "version of the DC transport"),
            field("session", 24, Form.NUMBER, "session number; 0 while the initiator does not know it"),
            field("channel", 8, Form.NUMBER, "stream of the initiator; 0 if it has no streams"),
            field("sender", 24, Form.NUMBER, "number of the initiator or target that sent the packet")),
    DC_CONNECT_ETH(
            HeaderKind.DC_CONNECT_ETH,
            field("reserved", 3, Form.NUMBER, ""),
            field("reconnect", 1, Form.NUMBER, "a CONNECT of this session may have arrived before"),
            field("reverse SL", 4, Form.NUMBER, "service level of the responses"),
            field("next PSN", 24, Form.NUMBER, "PSN of the first packet after the CONNECT"),
            field("reserved ", 32, Form.HEX, ""),
            field("access key", 64, Form.HEX, "must equal the access key of the target"));

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

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<Field> fields() {
        return fields;
    }
}
