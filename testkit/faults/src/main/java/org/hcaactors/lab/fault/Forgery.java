// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.fabric.link.Verdict.Forge.Place;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.wire.FrameDamage;

/**
 * A forged packet, defined by its differences from a packet in transit: data, so that it can be printed, stored and repeated.
 * {@code copy().add(PSN, 1)} is the next packet, {@code answer(RC_ACKNOWLEDGE).set(SYNDROME, 0x1F)} an acknowledgement of a
 * packet that its receiver has not seen. Immutable.
 *
 * @param back it is sent to the packet's sender, as if the receiver answered
 * @param place position relative to that packet
 * @param after delay of its arrival
 * @param edits changed fields, each once; fields that the packet does not have start at 0
 * @param damage applied to its bytes afterwards
 */
public record Forgery(boolean back, Place place, Duration after, List<Edit> edits, Optional<FrameDamage> damage) {
    private static final Forgery COPY = new Forgery(false, Place.BEHIND, Duration.ZERO, List.of(), Optional.empty());

    /**
     * A change of one field.
     *
     * @param relative {@code value} is added to the old value, otherwise it replaces it; excess bits are cut off
     */
    public record Edit(ForgedField field, boolean relative, long value) {
        String words() {
            return field.text() + " " + (relative ? (value < 0 ? "" : "+") + value : field.words(value));
        }
    }

    public Forgery {
        edits = edits.stream().sorted(Comparator.comparing(Edit::field)).toList();
        if (edits.stream().map(Edit::field).distinct().count() < edits.size()) {
            throw new IllegalArgumentException("each field may be changed only once: " + words(edits));
        }
        if (after.isNegative()) {
            throw new IllegalArgumentException("the delay of a forged packet is " + after + "; at least 0 is allowed");
        }
    }

    /** Returns an exact copy of the packet, to be changed. */
    public static Forgery copy() {
        return COPY;
    }

    /** Returns a packet with that opcode to the sender, with the PSN of the packet, to be changed. */
    public static Forgery answer(Opcode opcode) {
        return new Forgery(true, COPY.place, COPY.after, COPY.edits, COPY.damage).opcode(opcode);
    }

    public Forgery set(ForgedField field, long value) {
        return with(new Edit(field, false, field.cut(value)));
    }

    public Forgery add(ForgedField field, long value) {
        return with(new Edit(field, true, value));
    }

    /** Sets the opcode; for CONNECT and DISCONNECT of DC also {@link ForgedField#SOLICITED}, which distinguishes them. */
    public Forgery opcode(Opcode opcode) {
        Forgery coded = set(ForgedField.OPCODE, opcode.code());
        return opcode.isSelectedBySolicited()
                ? coded.set(ForgedField.SOLICITED, opcode.solicited(true) == opcode ? 1 : 0)
                : coded;
    }

    public Forgery with(Edit edit) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(edit);
        return new Forgery(back, place, after, more, damage);
    }

    /** Drops the packet itself. */
    public Forgery instead() {
        return new Forgery(back, Place.INSTEAD, after, edits, damage);
    }

    /** Places the forgery before the packet. */
    public Forgery ahead() {
        return new Forgery(back, Place.AHEAD, after, edits, damage);
    }

    /** Delays the forgery by that time. */
    public Forgery after(Duration time) {
        return new Forgery(back, place, time, edits, damage);
    }

    public Forgery damaged(FrameDamage how) {
        return new Forgery(back, place, after, edits, Optional.of(how));
    }

    /** False if every port detects the forgery and drops it, so that it has no effect. */
    public boolean mayBeBelieved() {
        return damage.filter(how -> how instanceof FrameDamage.WrongIcrc || how instanceof FrameDamage.Truncate)
                .isEmpty();
    }

    /** Returns the forgeries with one difference less. */
    public List<Forgery> simpler() {
        List<Forgery> all = new ArrayList<>();
        damage.ifPresent(some -> all.add(new Forgery(back, place, after, edits, Optional.empty())));
        if (place != Place.BEHIND) {
            all.add(new Forgery(back, Place.BEHIND, after, edits, damage));
        }
        for (Edit edit : edits) {
            all.add(new Forgery(
                    back,
                    place,
                    after,
                    edits.stream().filter(other -> !other.equals(edit)).toList(),
                    damage));
        }
        if (!after.isZero()) {
            all.add(after(after.dividedBy(2)));
        }
        return all;
    }

    /**
     * Returns the first part of a sentence, which the packet follows: {@code forge an answer (opcode RC_ACKNOWLEDGE, psn +1)
     * behind}.
     */
    String words() {
        String late = after.isZero() ? "" : " " + PacketAction.micros(after);
        return "forge " + (back ? "an answer" : "a copy") + (edits.isEmpty() ? "" : " (" + words(edits) + ")")
                + damage.map(some -> ", " + some.words() + ",").orElse("") + late
                + switch (place) {
                    case AHEAD -> " ahead of";
                    case INSTEAD -> " in place of";
                    case BEHIND -> " behind";
                };
    }

    private static String words(List<Edit> edits) {
        return edits.stream().map(Edit::words).collect(Collectors.joining(", "));
    }
}
