// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.views.flow.CmPayload;

// rules cm-mad, cm-messages, cm-ip-addresses
/** The parts of a datagram of communication management with their fields, bit by bit. */
enum CmFields implements FieldBlock {
    MAD(
            "MAD",
            number("base version", 8, "version of MADs, 1"),
            number("management class", 8, "what manages or is managed"),
            number("class version", 8, "version of the class, 2"),
            number("R", 1, "a response to a Get or Set; no message of communication management is one"),
            number("method", 7, "what the receiver does with the attribute"),
            hex("status", 16, "result of a Get or Set; otherwise 0"),
            hex("class specific", 16, "not used by this class"),
            hex("transaction ID", 64, "an answer has that of its request"),
            hex("attribute ID", 16, "kind of the message"),
            hex("reserved", 16, ""),
            hex("attribute modifier", 32, "not used by this class")),
    REQ(
            "REQ",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("reserved", 32, ""),
            hex("service ID", 64, "what the receiver listens at; of an IP port: prefix, port space, port"),
            hex("CA GUID", 64, "identifies the adapter of the sender"),
            hex("reserved", 32, ""),
            hex("Q_Key", 32, "key of the sender's queue pair; for RD"),
            number("QP", 24, "number of the sender's queue pair"),
            number("responder resources", 8, "READs and atomics that the sender answers at once"),
            number("local EECN", 24, "end-to-end context; for RD"),
            number("initiator depth", 8, "READs and atomics that the sender has outstanding"),
            number("remote EECN", 24, "end-to-end context; for RD"),
            number("remote response timeout", 5, "in this time the receiver should answer a message"),
            number("transport", 2, "0 RC, 1 UC, 2 RD, 3: see extended transport"),
            number("flow control", 1, "the sender's queue pair has end-to-end flow control"),
            number("starting PSN", 24, "of the first packet to the sender"),
            number("local response timeout", 5, "in this time the sender answers a message"),
            number("retry count", 3, "repetitions of a packet without an answer"),
            hex("P_Key", 16, "partition of the connection"),
            number("path MTU", 4, "code of the largest payload: 1 for 256 bytes to 5 for 4096"),
            number("RDC exists", 1, "a reliable datagram channel exists; for RD"),
            number("RNR retry count", 3, "repetitions after an RNR NAK; 7 is unlimited"),
            number("max CM retries", 4, "repetitions of a message of communication management"),
            number("SRQ", 1, "the sender's queue pair uses a shared receive queue"),
            number("extended transport", 3, "1 XRC, if the transport is 3")),
    PRIMARY_PATH("primary path", requestPath()),
    ALTERNATE_PATH("alternate path", requestPath()),
    MRA(
            "MRA",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            number("message", 2, "the message that has arrived: 0 REQ, 1 REP, 2 LAP"),
            number("reserved", 6, ""),
            number("service timeout", 5, "in this time the sender will answer it"),
            number("reserved", 3, "")),
    REJ(
            "REJ",
            hex("local comm ID", 32, "number of the connection at the sender; 0 if it has none"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            number("message", 2, "the refused message: 0 REQ, 1 REP, 2 another"),
            number("reserved", 6, ""),
            number("information length", 7, "bytes of additional information"),
            number("reserved", 1, ""),
            number("reason", 16, "reason of the refusal"),
            information()),
    REP(
            "REP",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            hex("Q_Key", 32, "key of the sender's queue pair; for RD"),
            number("QP", 24, "number of the sender's queue pair"),
            number("reserved", 8, ""),
            number("local EECN", 24, "end-to-end context; for RD"),
            number("reserved", 8, ""),
            number("starting PSN", 24, "of the first packet to the sender"),
            number("reserved", 8, ""),
            number("responder resources", 8, "READs and atomics that the sender answers at once"),
            number("initiator depth", 8, "READs and atomics that the sender has outstanding"),
            number("target ACK delay", 5, "after this time at the latest the sender acknowledges a packet"),
            number("failover", 2, "alternate path of the REQ: 0 accepted, 1 not supported, 2 refused"),
            number("flow control", 1, "the sender's queue pair has end-to-end flow control"),
            number("RNR retry count", 3, "repetitions after an RNR NAK; 7 is unlimited"),
            number("SRQ", 1, "the sender's queue pair uses a shared receive queue"),
            number("reserved", 4, ""),
            hex("CA GUID", 64, "identifies the adapter of the sender")),
    RTU("RTU", ids()),
    DREQ(
            "DREQ",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            number("remote QP", 24, "number of the receiver's queue pair"),
            number("reserved", 8, "")),
    DREP("DREP", ids()),
    SIDR_REQ(
            "SIDR_REQ",
            hex("request ID", 32, "the answer has it, too"),
            hex("P_Key", 16, "partition of the service"),
            hex("reserved", 16, ""),
            hex("service ID", 64, "what the receiver listens at; of an IP port: prefix, port space, port")),
    SIDR_REP(
            "SIDR_REP",
            hex("request ID", 32, "that of the request"),
            number("status", 8, "0 if the queue pair is valid"),
            number("information length", 8, "bytes of additional information"),
            hex("reserved", 16, ""),
            number("QP", 24, "number of the service's queue pair"),
            number("reserved", 8, ""),
            hex("service ID", 64, "that of the request"),
            hex("Q_Key", 32, "key of the service's queue pair"),
            information()),
    LAP(
            "LAP",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            hex("reserved", 32, ""),
            number("remote QP", 24, "number of the receiver's queue pair"),
            number("remote response timeout", 5, "in this time the receiver should answer"),
            number("reserved", 3, ""),
            hex("reserved", 32, "")),
    LAP_PATH(
            "alternate path",
            hex("local LID", 16, "port of the sender; RoCE has no LIDs"),
            hex("remote LID", 16, "port of the receiver"),
            new Field("local GID", 128, Form.IPV6, "port of the sender"),
            new Field("remote GID", 128, Form.IPV6, "port of the receiver"),
            hex("flow label", 20, "number of the flow"),
            number("reserved", 4, ""),
            number("traffic class", 8, "DSCP and ECN of the packets"),
            number("hop limit", 8, "maximum number of routers"),
            number("reserved", 2, ""),
            number("packet rate", 6, "code of the rate"),
            number("service level", 4, "selects the queue in switches"),
            number("subnet local", 1, "no router is on the path"),
            number("reserved", 3, ""),
            number("ACK timeout", 5, "local ACK timeout of the queue pairs"),
            number("reserved", 3, "")),
    APR(
            "APR",
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver"),
            number("information length", 8, "bytes of additional information"),
            number("status", 8, "0 if the path is loaded"),
            hex("reserved", 16, ""),
            information()),
    IPV4_ADDRESSES(
            "IP addresses",
            number("major version", 4, "version of these addresses, 0"),
            number("minor version", 4, "version of these addresses, 0"),
            number("IP version", 4, "version of IP"),
            number("reserved", 4, ""),
            number("source port", 16, "port of the sender"),
            hex("reserved", 96, ""),
            new Field("source", 32, Form.IPV4, "IPv4 address of the sender"),
            hex("reserved", 96, ""),
            new Field("destination", 32, Form.IPV4, "IPv4 address of the receiver")),
    IPV6_ADDRESSES(
            "IP addresses",
            number("major version", 4, "version of these addresses, 0"),
            number("minor version", 4, "version of these addresses, 0"),
            number("IP version", 4, "version of IP"),
            number("reserved", 4, ""),
            number("source port", 16, "port of the sender"),
            new Field("source", 128, Form.IPV6, "IPv6 address of the sender"),
            new Field("destination", 128, Form.IPV6, "IPv6 address of the receiver"));

    private static final int IPV4 = 4;

    /** Data of the program, at the end of each message. */
    record PrivateData(int bytes) implements FieldBlock {
        @Override
        public String title() {
            return "private data";
        }

        @Override
        public List<Field> fields() {
            return List.of(new Field("data", bytes * Byte.SIZE, Form.BYTES, "data of the program, padded with zeros"));
        }
    }

    private final String title;
    private final List<Field> fields;

    CmFields(String title, Field... fields) {
        this.title = title;
        this.fields = List.of(fields);
    }

    private static Field number(String name, int bits, String meaning) {
        return new Field(name, bits, Form.NUMBER, meaning);
    }

    private static Field hex(String name, int bits, String meaning) {
        return new Field(name, bits, Form.HEX, meaning);
    }

    private static Field information() {
        return new Field("information", 72 * Byte.SIZE, Form.BYTES, "additional information, padded with zeros");
    }

    private static Field[] ids() {
        return new Field[] {
            hex("local comm ID", 32, "number of the connection at the sender"),
            hex("remote comm ID", 32, "number of the connection at the receiver")
        };
    }

    private static Field[] requestPath() {
        return new Field[] {
            hex("local LID", 16, "port of the sender; RoCE has no LIDs"),
            hex("remote LID", 16, "port of the receiver"),
            new Field("local GID", 128, Form.IPV6, "port of the sender"),
            new Field("remote GID", 128, Form.IPV6, "port of the receiver"),
            hex("flow label", 20, "number of the flow"),
            number("reserved", 6, ""),
            number("packet rate", 6, "code of the rate"),
            number("traffic class", 8, "DSCP and ECN of the packets"),
            number("hop limit", 8, "maximum number of routers"),
            number("service level", 4, "selects the queue in switches"),
            number("subnet local", 1, "no router is on the path"),
            number("reserved", 3, ""),
            number("ACK timeout", 5, "local ACK timeout of the queue pairs"),
            number("reserved", 3, "")
        };
    }

    /** Returns all parts of the datagram, in the order of its bytes. */
    static List<FieldBlock> of(CmMessage message) {
        List<FieldBlock> parts = new ArrayList<>();
        parts.add(MAD);
        parts.addAll(ofMessage(message));
        Optional<CmFields> addresses = addresses(message);
        addresses.ifPresent(parts::add);
        int ofProgram = message.attribute().privateBytes()
                - addresses.map(FieldBlock::lengthBytes).orElse(0);
        parts.add(new PrivateData(ofProgram));
        return parts;
    }

    private static List<CmFields> ofMessage(CmMessage message) {
        return switch (message.attribute()) {
            case REQ -> List.of(REQ, PRIMARY_PATH, ALTERNATE_PATH);
            case MRA -> List.of(MRA);
            case REJ -> List.of(REJ);
            case REP -> List.of(REP);
            case RTU -> List.of(RTU);
            case DREQ -> List.of(DREQ);
            case DREP -> List.of(DREP);
            case SIDR_REQ -> List.of(SIDR_REQ);
            case SIDR_REP -> List.of(SIDR_REP);
            case LAP -> List.of(LAP, LAP_PATH);
            case APR -> List.of(APR);
        };
    }

    private static Optional<CmFields> addresses(CmMessage message) {
        return CmPayload.addresses(message)
                .map(any -> message.privateData().at(1) >> 4 == IPV4 ? IPV4_ADDRESSES : IPV6_ADDRESSES);
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
