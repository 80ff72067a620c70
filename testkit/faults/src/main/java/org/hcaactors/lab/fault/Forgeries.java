// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.FrameDamage;

/**
 * Random generator of forgeries: packets close to what the receiver expects, and invalid packets. They are aimed at one
 * reliable transport: those for RC at any packet, but without fields of XRC and DC; those for XRC or DC at that transport only.
 */
final class Forgeries {
    private static final int[] PSN_STEPS = {0, 0, 1, 1, 1, 2, -1, -1, -2, 3, -5, 17, 1 << 22, 1 << 23, -(1 << 22)};
    private static final long[] ADDRESS_STEPS = {8, -8, 1, -1, 4096, 1 << 20, Long.MIN_VALUE, -(1L << 40)};
    private static final long[] LENGTH_STEPS = {1, -1, 8, -8, 1024, -1024, 1 << 20, 0x7FFF_FFFF, 0x8000_0000L};
    private static final int[] PAYLOAD_STEPS = {1, -1, 4, -4, 256, -256, 1024, 4096};
    private static final List<Operation> READ_RESPONSES = List.of(
            Operation.READ_RESPONSE_FIRST,
            Operation.READ_RESPONSE_MIDDLE,
            Operation.READ_RESPONSE_LAST,
            Operation.READ_RESPONSE_ONLY);
    private static final PacketMatch ANY = PacketMatch.packet();
    private static final int LATEST_NANOS = 60_000;
    private static final int MAX_OCCASIONS = 120;

    private final SplittableRandom random;
    private final TransportClass reliable;
    private final boolean alone;
    private final PacketMatch any;
    private final List<Opcode> opcodes;
    private final List<ForgedField> fields;

    /** @param reliable RC, XRC or DC */
    Forgeries(SplittableRandom random, TransportClass reliable) {
        this.random = random;
        this.reliable = reliable;
        alone = reliable != TransportClass.RC;
        any = own(ANY);
        opcodes = Arrays.stream(Opcode.values())
                .filter(opcode -> switch (opcode.transport()) {
                    case XRC, DC -> opcode.transport() == reliable;
                    case RC, UC, UD, CNP -> true;
                })
                .toList();
        fields = Arrays.stream(ForgedField.values()).filter(this::has).toList();
    }

    private boolean has(ForgedField field) {
        return switch (field) {
            case XRC_SRQ -> reliable == TransportClass.XRC;
            case DC_FLAGS, SESSION, CHANNEL, SENDER, RECONNECT, REVERSE_SL, NEXT_PSN, ACCESS_KEY ->
                reliable == TransportClass.DC;
            default -> true;
        };
    }

    private Opcode reliably(Operation operation) {
        return Opcode.of(reliable, operation);
    }

    Fault next() {
        if (reliable == TransportClass.XRC && random.nextInt(6) == 0) {
            return otherQueue();
        }
        if (reliable == TransportClass.DC && random.nextInt(4) == 0) {
            return otherSession();
        }
        return switch (random.nextInt(14)) {
            case 0 -> late(any, Forgery.copy());
            case 1 -> at(any, psn(Forgery.copy()));
            case 2, 3 -> at(reliable().request(), acknowledgement());
            case 4 -> at(any(reads(), reliable().request()), readResponse());
            case 5 -> at(any(own(ANY.atomic()), reliable().request()), atomicResponse());
            case 6 -> at(reliable().response(), psn(changed(response())));
            case 7 -> at(aimed(), aim());
            case 8 -> at(any, psn(opcode()));
            case 9 -> at(any, changed(changed(Forgery.copy())));
            case 10 -> at(any, Forgery.copy().damaged(damage()));
            case 11, 12 -> nearMiss();
            default -> at(others(), changed(psn(Forgery.copy())));
        };
    }

    private PacketMatch others() {
        return alone ? any : any(ANY.transport(TransportClass.UC), ANY.transport(TransportClass.UD));
    }

    /** Replaces a middle or last packet by one for a neighbouring shared receive queue. */
    private Fault otherQueue() {
        PacketMatch goesOn =
                ANY.place(Operation.Place.MIDDLE, Operation.Place.LAST).transport(reliable);
        return often(goesOn, Forgery.copy().add(ForgedField.XRC_SRQ, random.nextBoolean() ? 1 : -1));
    }

    // rules wire-dc-connect, wire-dc-cnak
    /** Forges packets that open or end sessions, or changes the session id. */
    private Fault otherSession() {
        PacketMatch opens = ANY.opcode(Opcode.DC_CONNECT);
        return switch (random.nextInt(6)) {
            case 0 ->
                often(reliable(), Forgery.copy().add(ForgedField.SESSION, step() << random.nextInt(2) * Byte.SIZE));
            case 1 -> often(opens, Forgery.copy().add(ForgedField.ACCESS_KEY, step()));
            case 2 -> often(opens, Forgery.copy().add(ForgedField.NEXT_PSN, one(PSN_STEPS)));
            case 3 ->
                at(
                        any(opens, reliable().request()),
                        psn(Forgery.answer(Opcode.DC_ACKNOWLEDGE)).set(ForgedField.SYNDROME, Syndrome.NAK_CONNECT));
            case 4 -> at(reliable().request(), psn(Forgery.copy().opcode(Opcode.DC_DISCONNECT)));
            default -> late(opens, Forgery.copy());
        };
    }

    private long step() {
        return random.nextBoolean() ? 1 : -1;
    }

    /** Replaces a correct packet by one with a single error. */
    private Fault nearMiss() {
        return switch (random.nextInt(4)) {
            case 0 ->
                often(
                        ANY.opcode(reliably(Operation.READ_RESPONSE_ONLY)),
                        Forgery.copy().opcode(reliably(Operation.READ_RESPONSE_LAST)));
            case 1 ->
                often(
                        ANY.opcode(reliably(Operation.READ_RESPONSE_FIRST)),
                        Forgery.copy().opcode(reliably(Operation.READ_RESPONSE_MIDDLE)));
            case 2 ->
                often(
                        ANY.family(Operation.Family.WRITE, Operation.Family.READ, Operation.Family.ATOMIC)
                                .place(Operation.Place.LAST, Operation.Place.ONLY)
                                .transport(reliable),
                        Forgery.copy().add(ForgedField.PAYLOAD, random.nextBoolean() ? 1 : -1));
            default -> at(reads(), Forgery.copy().add(ForgedField.RKEY, key()));
        };
    }

    private Fault often(PacketMatch match, Forgery forgery) {
        Trigger trigger = random.nextBoolean()
                ? new Trigger.Chance((1 + random.nextInt(100)) / 1000.0)
                : new Trigger.Nth(1 + random.nextInt(MAX_OCCASIONS / 4));
        return new Fault.OnPackets(match, trigger, Interval.ALL, new PacketAction.Forge(forgery.instead()));
    }

    /** Restricts the match to the transport that the forgeries are aimed at. */
    private PacketMatch own(PacketMatch match) {
        return alone ? match.transport(reliable) : match;
    }

    private PacketMatch reliable() {
        return ANY.transport(reliable);
    }

    private PacketMatch aimed() {
        return ANY.family(Operation.Family.WRITE, Operation.Family.READ, Operation.Family.ATOMIC)
                .transport(reliable);
    }

    private PacketMatch reads() {
        return own(ANY.readRequest());
    }

    private PacketMatch any(PacketMatch one, PacketMatch other) {
        return random.nextBoolean() ? one : other;
    }

    /** Places the forgery next to some of those packets; it may be changed once more. */
    private Fault at(PacketMatch match, Forgery forgery) {
        Forgery more = random.nextInt(4) == 0 ? changed(forgery) : forgery;
        return switch (random.nextInt(4)) {
            case 0 -> armed(match, more.ahead());
            case 1 -> armed(match, more.instead());
            case 2 -> late(match, more);
            default -> armed(match, more);
        };
    }

    private Fault late(PacketMatch match, Forgery forgery) {
        return armed(match, forgery.after(Duration.ofNanos(1 + random.nextInt(LATEST_NANOS))));
    }

    private Fault armed(PacketMatch match, Forgery forgery) {
        Trigger trigger = random.nextInt(4) == 0
                ? new Trigger.Chance((1 + random.nextInt(40)) / 1000.0)
                : new Trigger.Nth(1 + random.nextInt(MAX_OCCASIONS));
        return new Fault.OnPackets(match, trigger, Interval.ALL, new PacketAction.Forge(forgery));
    }

    private Forgery psn(Forgery forgery) {
        return edited(forgery, ForgedField.PSN) ? forgery : forgery.add(ForgedField.PSN, one(PSN_STEPS));
    }

    private Forgery acknowledgement() {
        return psn(Forgery.answer(reliably(Operation.ACKNOWLEDGE)))
                .set(ForgedField.SYNDROME, syndrome())
                .set(ForgedField.MSN, random.nextInt(1 << 24));
    }

    /** Draws a syndrome of any class: ACK with and without credits, RNR with every timer, each NAK, and reserved ones. */
    private int syndrome() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> Syndrome.ACK;
            case 2 -> random.nextInt(0x20);
            case 3 -> Syndrome.rnr(random.nextInt(0x20));
            case 4 -> Syndrome.NAK_PSN_SEQUENCE + random.nextInt(5);
            default -> random.nextInt(0x100);
        };
    }

    private Forgery readResponse() {
        Operation response = READ_RESPONSES.get(random.nextInt(READ_RESPONSES.size()));
        return psn(Forgery.answer(reliably(response)))
                .set(ForgedField.SYNDROME, random.nextInt(3) == 0 ? syndrome() : Syndrome.ACK)
                .set(
                        ForgedField.PAYLOAD,
                        random.nextInt(3) == 0 ? random.nextInt(1600) : random.nextBoolean() ? 256 : 1024);
    }

    private Forgery atomicResponse() {
        return psn(Forgery.answer(reliably(Operation.ATOMIC_ACKNOWLEDGE)))
                .set(ForgedField.SYNDROME, random.nextInt(3) == 0 ? syndrome() : Syndrome.ACK)
                .set(ForgedField.ORIGINAL, random.nextLong());
    }

    /** Returns another kind of response to the same request. */
    private Forgery response() {
        return switch (random.nextInt(4)) {
            case 0 -> Forgery.copy().opcode(reliably(READ_RESPONSES.get(random.nextInt(READ_RESPONSES.size()))));
            case 1 -> Forgery.copy().opcode(reliably(Operation.ACKNOWLEDGE)).set(ForgedField.SYNDROME, syndrome());
            case 2 -> Forgery.copy().set(ForgedField.SYNDROME, syndrome());
            default -> Forgery.copy();
        };
    }

    /** Changes the memory that a request accesses. */
    private Forgery aim() {
        Forgery forgery = random.nextBoolean() ? Forgery.copy() : Forgery.copy().add(ForgedField.PSN, one(PSN_STEPS));
        return switch (random.nextInt(4)) {
            case 0 -> forgery.add(ForgedField.RKEY, key());
            case 1 -> forgery.add(ForgedField.ADDRESS, ADDRESS_STEPS[random.nextInt(ADDRESS_STEPS.length)]);
            case 2 -> forgery.add(ForgedField.LENGTH, LENGTH_STEPS[random.nextInt(LENGTH_STEPS.length)]);
            default ->
                forgery.add(ForgedField.RKEY, key())
                        .add(ForgedField.LENGTH, LENGTH_STEPS[random.nextInt(LENGTH_STEPS.length)]);
        };
    }

    /** Draws a change of a key: to a neighbouring index, another variant of the same index, or any. */
    private long key() {
        return switch (random.nextInt(3)) {
            case 0 -> (1L + random.nextInt(4)) << Byte.SIZE;
            case 1 -> -((1L + random.nextInt(4)) << Byte.SIZE);
            default -> random.nextBoolean() ? 1 : random.nextInt();
        };
    }

    private Forgery opcode() {
        return random.nextInt(3) == 0
                ? Forgery.copy().set(ForgedField.OPCODE, random.nextInt(0x100))
                : Forgery.copy().opcode(opcodes.get(random.nextInt(opcodes.size())));
    }

    private Forgery changed(Forgery forgery) {
        ForgedField field = fields.get(random.nextInt(fields.size()));
        if (edited(forgery, field)) {
            return forgery;
        }
        return switch (field) {
            case PSN -> forgery.add(field, one(PSN_STEPS));
            case ADDRESS -> forgery.add(field, ADDRESS_STEPS[random.nextInt(ADDRESS_STEPS.length)]);
            case LENGTH -> forgery.add(field, LENGTH_STEPS[random.nextInt(LENGTH_STEPS.length)]);
            case RKEY -> forgery.add(field, key());
            case PAYLOAD -> forgery.add(field, one(PAYLOAD_STEPS));
            case SYNDROME -> forgery.set(field, syndrome());
            case QP, MSN, SOURCE_QP, XRC_SRQ, SOURCE, ATOMIC_SIZE, SESSION, CHANNEL, SENDER, NEXT_PSN, ACCESS_KEY ->
                forgery.add(field, 1 + random.nextInt(5) - 3);
            case SOLICITED, MIG_REQ, FECN, BECN, ACK_REQ, RECONNECT -> forgery.add(field, 1);
            case OPCODE,
                    PAD,
                    VERSION,
                    PKEY,
                    RESERVED6,
                    RESERVED7,
                    TRAFFIC_CLASS,
                    HOP_LIMIT,
                    QKEY,
                    IMMEDIATE,
                    INVALIDATED,
                    SWAP_OR_ADD,
                    COMPARE,
                    ORIGINAL,
                    DC_FLAGS,
                    REVERSE_SL -> forgery.set(field, random.nextLong());
        };
    }

    private static boolean edited(Forgery forgery, ForgedField field) {
        return forgery.edits().stream().anyMatch(edit -> edit.field() == field);
    }

    private FrameDamage damage() {
        return switch (random.nextInt(5)) {
            case 0 -> new FrameDamage.Truncate(1 + random.nextInt(60));
            case 1 -> new FrameDamage.Resize(-1 - random.nextInt(60));
            case 2 -> new FrameDamage.Resize(1 + random.nextInt(2000));
            case 3 -> new FrameDamage.WrongIcrc();
            // Somewhere in the headers of IP, UDP or InfiniBand.
            default -> new FrameDamage.Poke(12 + random.nextInt(70), random.nextInt(0x100));
        };
    }

    private int one(int[] of) {
        return of[random.nextInt(of.length)];
    }
}
