// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.chance.RandomStreams;

/** A condition on a packet; a fault matches packets that meet all its conditions. */
public sealed interface Condition {
    boolean holds(PacketInTransit transit);

    /** Returns a readable text: {@code from b}. */
    String words();

    record OpcodeIn(Set<Opcode> opcodes) implements Condition {
        public OpcodeIn {
            opcodes = Set.copyOf(opcodes);
        }

        @Override
        public boolean holds(PacketInTransit transit) {
            return opcodes.contains(transit.packet().opcode());
        }

        @Override
        public String words() {
            return sorted(opcodes);
        }
    }

    record FamilyIn(Set<Operation.Family> families) implements Condition {
        public FamilyIn {
            families = Set.copyOf(families);
        }

        @Override
        public boolean holds(PacketInTransit transit) {
            return families.contains(transit.packet().operation().family());
        }

        @Override
        public String words() {
            return sorted(families);
        }
    }

    record PlaceIn(Set<Operation.Place> places) implements Condition {
        public PlaceIn {
            places = Set.copyOf(places);
        }

        @Override
        public boolean holds(PacketInTransit transit) {
            return places.contains(transit.packet().operation().place());
        }

        @Override
        public String words() {
            return sorted(places);
        }
    }

    record Transport(TransportClass transport) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.packet().opcode().transport() == transport;
        }

        @Override
        public String words() {
            return transport.name();
        }
    }

    /** Kinds of acknowledgements. */
    enum Verdict {
        ACK,
        NAK,
        RNR
    }

    /** An acknowledgement packet of that kind. */
    record Says(Verdict verdict) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            Packet packet = transit.packet();
            if (packet.operation() != Operation.ACKNOWLEDGE) {
                return false;
            }
            int syndrome = packet.aeth().syndrome();
            return switch (verdict) {
                case ACK -> Syndrome.isAck(syndrome);
                case NAK -> Syndrome.isNak(syndrome);
                case RNR -> Syndrome.isRnr(syndrome);
            };
        }

        @Override
        public String words() {
            return verdict.name();
        }
    }

    // rule cm-messages
    /** A message of communication management, of one of these kinds. */
    record Cm(Set<CmAttribute> messages) implements Condition {
        /** Every message. */
        static final Cm ANY = new Cm(Set.of(CmAttribute.values()));

        public Cm {
            messages = Set.copyOf(messages);
        }

        @Override
        public boolean holds(PacketInTransit transit) {
            return CmCodec.decode(transit.packet())
                    .filter(datagram -> messages.contains(datagram.message().attribute()))
                    .isPresent();
        }

        @Override
        public String words() {
            return equals(ANY) ? "CM messages" : sorted(messages);
        }
    }

    /** A request or a response. */
    record Request(boolean requested) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.packet().operation().isResponse() != requested;
        }

        @Override
        public String words() {
            return requested ? "requests" : "responses";
        }
    }

    /** PSNs from {@code first} to {@code last}, both included, modulo 2^24. */
    record PsnBetween(int first, int last) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            int psn = transit.packet().psn();
            return Psn.compare(psn, first) >= 0 && Psn.compare(psn, last) <= 0;
        }

        @Override
        public String words() {
            return "psn " + first + (first == last ? "" : " to " + last);
        }
    }

    record From(String adapter) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.fromPort().equals(adapter);
        }

        @Override
        public String words() {
            return "from " + adapter;
        }
    }

    record To(String adapter) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.toPort().equals(adapter);
        }

        @Override
        public String words() {
            return "to " + adapter;
        }
    }

    /**
     * From a random half of all adapters, whatever their names and whenever they are added: one direction of links that are not
     * known in advance.
     *
     * @param lot random number that determines the half
     */
    record FromSome(long lot) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return RandomStreams.of(lot, transit.fromPort()).nextBoolean();
        }

        @Override
        public String words() {
            return "from some adapters, random stream " + lot;
        }
    }

    record FromQp(int number) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.fromQp() == number;
        }

        @Override
        public String words() {
            return "from qp" + number;
        }
    }

    record ToQp(int number) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.packet().bth().destQp() == number;
        }

        @Override
        public String words() {
            return "to qp" + number;
        }
    }

    /** An XRC request to that shared receive queue (rule wire-xrc-header). */
    record ToSrq(int number) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return transit.packet().srqIfAny().equals(OptionalInt.of(number));
        }

        @Override
        public String words() {
            return "to srq" + number;
        }
    }

    /** Between one of these adapters and any other: a partition. */
    record Across(Set<String> oneSide) implements Condition {
        public Across {
            oneSide = Set.copyOf(oneSide);
        }

        @Override
        public boolean holds(PacketInTransit transit) {
            return oneSide.contains(transit.fromPort()) != oneSide.contains(transit.toPort());
        }

        @Override
        public String words() {
            return "between " + String.join(" and ", new TreeSet<>(oneSide)) + " and all other adapters";
        }
    }

    /** Code of the user: it has a name and can be printed, but not stored. */
    record Where(String name, Predicate<? super PacketInTransit> test) implements Condition {
        @Override
        public boolean holds(PacketInTransit transit) {
            return test.test(transit);
        }

        @Override
        public String words() {
            return "where " + name;
        }
    }

    private static <E extends Enum<E>> String sorted(Set<E> values) {
        return values.stream().sorted().map(Enum::name).collect(Collectors.joining(" or "));
    }
}
