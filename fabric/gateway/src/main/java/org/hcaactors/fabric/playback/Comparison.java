// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.recording.Difference;
import org.hcaactors.fabric.recording.Difference.Field;
import org.hcaactors.fabric.recording.Difference.Kind;
import org.hcaactors.fabric.recording.PacketText;
import org.hcaactors.fabric.recording.RecordedPacket;

/** Compares packets of this side with recorded ones: what a peer reacts to, and on request what it only stores. */
final class Comparison {
    /** Name of the field. */
    static final String OPCODE = "opcode";

    private final ToldKeys keys;
    private final boolean ofPayloads;

    Comparison(ToldKeys keys, boolean ofPayloads) {
        this.keys = keys;
        this.ofPayloads = ofPayloads;
    }

    /** Returns the fields that differ, if one does. */
    List<Field> fields(Item recorded, Packet sent) {
        Packet then = recorded.packet();
        List<Field> fields = new ArrayList<>();
        add(fields, OPCODE, then.opcode(), sent.opcode());
        add(fields, "payload bytes", then.payload().length(), sent.payload().length());
        add(fields, "solicited", then.bth().solicited(), sent.bth().solicited());
        if (then.opcode() == sent.opcode()) {
            for (ExtendedHeader header : then.extended()) {
                if (isCompared(header.kind())) {
                    add(fields, header.kind().toString(), header, sent.header(header.kind()));
                }
            }
        }
        if (ofPayloads && fields.isEmpty()) {
            payload(fields, keys.withoutKeys(recorded, then.payload()), keys.withoutKeys(recorded, sent.payload()));
        }
        return fields;
    }

    /** Message numbers, numbers of senders, and reserved fields depend on the adapter. */
    private boolean isCompared(HeaderKind kind) {
        return switch (kind) {
            case RETH, ATOMIC_ETH, ATOMIC_ADDRESS, ATOMIC_SIZE, IMMEDIATE, IETH, XRC_ETH -> true;
            case ATOMIC_ACK_ETH -> ofPayloads;
            case AETH, DETH, DC_ETH, DC_CONNECT_ETH -> false;
        };
    }

    private static void payload(List<Field> fields, Octets then, Octets sent) {
        if (!then.equals(sent)) {
            int at = 0;
            while (then.at(at) == sent.at(at)) {
                at++;
            }
            fields.add(
                    new Field("payload byte " + at, "0x%02x".formatted(then.at(at)), "0x%02x".formatted(sent.at(at))));
        }
    }

    static void add(List<Field> fields, String name, Object recorded, Object sent) {
        if (!recorded.equals(sent)) {
            fields.add(new Field(name, recorded.toString(), sent.toString()));
        }
    }

    static Difference otherFields(RecordedPacket recorded, Packet sent, List<Field> fields) {
        return new Difference(
                Kind.OTHER_FIELDS,
                OptionalInt.of(recorded.frame()),
                "this side sent " + PacketText.of(sent) + " in place of " + recorded + " (" + texts(fields) + ")",
                fields);
    }

    private static String texts(List<Field> fields) {
        return String.join("; ", fields.stream().map(Field::toString).toList());
    }

    static Difference unexpected(Packet sent, String why) {
        return new Difference(
                Kind.UNEXPECTED,
                OptionalInt.empty(),
                "this side sent " + PacketText.of(sent) + ", which was not recorded: " + why,
                List.of());
    }

    static Difference missing(RecordedPacket awaited, String waited) {
        return new Difference(
                Kind.MISSING,
                OptionalInt.of(awaited.frame()),
                "the peer waits for " + awaited + ", which did not come in " + waited,
                List.of());
    }
}
