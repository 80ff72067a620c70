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
 * A packet that nobody sent, told by how it differs from one that passes: data, so that it can be printed, stored and
 * tried again. {@code copy().add(PSN, 1)} is the next one, {@code answer(RC_ACKNOWLEDGE).set(SYNDROME, 0x1F)} an
 * acknowledgement of what its receiver has not seen. Immutable.
 *
 * @param back it goes to the sender of the packet that passes, as if its receiver answered
 * @param place beside that packet
 * @param after how much later it arrives
 * @param edits in what it differs, each field once; fields that the packet does not have begin as 0
 * @param damage what is then done to its bytes
 */
public record Forgery(boolean back, Place place, Duration after, List<Edit> edits, Optional<FrameDamage> damage) {
    private static final Forgery COPY = new Forgery(false, Place.BEHIND, Duration.ZERO, List.of(), Optional.empty());

    /**
     * Another value of one field.
     *
     * @param relative {@code value} is added to what was there, else it takes its place; what is beyond the field's bits is cut off
     */
    public record Edit(ForgedField field, boolean relative, long value) {
        String words() {
            return field.text() + " " + (relative ? (value < 0 ? "" : "+") + value : field.words(value));
        }
    }

    public Forgery {
        edits = edits.stream().sorted(Comparator.comparing(Edit::field)).toList();
        if (edits.stream().map(Edit::field).distinct().count() < edits.size()) {
            throw new IllegalArgumentException("a field is changed twice: " + words(edits));
        }
        if (after.isNegative()) {
            throw new IllegalArgumentException("a forged packet " + after + " later; at least 0 is allowed");
        }
    }

    /** The same packet again, to be changed. */
    public static Forgery copy() {
        return COPY;
    }

    /** A packet of that kind to the sender, with its own PSN and everything else at 0, to be changed. */
    public static Forgery answer(Opcode opcode) {
        return new Forgery(true, COPY.place, COPY.after, COPY.edits, COPY.damage).opcode(opcode);
    }

    public Forgery set(ForgedField field, long value) {
        return with(new Edit(field, false, field.cut(value)));
    }

    public Forgery add(ForgedField field, long value) {
        return with(new Edit(field, true, value));
    }

    /** For CONNECT and DISCONNECT of DC it sets {@link ForgedField#SOLICITED} too: it tells them apart. */
    public Forgery opcode(Opcode opcode) {
        Forgery coded = set(ForgedField.OPCODE, opcode.code());
        return opcode.isToldBySolicited()
                ? coded.set(ForgedField.SOLICITED, opcode.solicited(true) == opcode ? 1 : 0)
                : coded;
    }

    public Forgery with(Edit edit) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(edit);
        return new Forgery(back, place, after, more, damage);
    }

    /** The packet itself is lost. */
    public Forgery instead() {
        return new Forgery(back, Place.INSTEAD, after, edits, damage);
    }

    /** It comes first. */
    public Forgery ahead() {
        return new Forgery(back, Place.AHEAD, after, edits, damage);
    }

    /** It comes that much later. */
    public Forgery after(Duration time) {
        return new Forgery(back, place, time, edits, damage);
    }

    public Forgery damaged(FrameDamage how) {
        return new Forgery(back, place, after, edits, Optional.of(how));
    }

    /** False if every port can see that no sender made it: then it does nothing. */
    public boolean mayBeBelieved() {
        return damage.filter(how -> how instanceof FrameDamage.WrongIcrc || how instanceof FrameDamage.Truncate)
                .isEmpty();
    }

    /** Those that differ from the packet in one thing less. */
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

    /** {@code forge an answer (opcode RC_ACKNOWLEDGE, psn +1) behind}; then comes which packet. */
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
