// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.fabric.link.Verdict.Forge.Place;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.wire.FrameDamage;
import org.hcaactors.lab.hocon.Section;

/**
 * HOCON form of forgeries in plans: {@code back = true, stands = AHEAD, set { opcode = RC_ACKNOWLEDGE }, add { psn = 1 },
 * truncate = 7}.
 */
final class ForgeryText {
    static final Set<String> KEYS =
            Set.of("back", "stands", "after", "set", "add", "truncate", "resize", "wrong-icrc", "byte", "value");

    private ForgeryText() {}

    static void write(Forgery forgery, Map<String, Object> keys) {
        if (forgery.back()) {
            keys.put("back", true);
        }
        keys.put("stands", forgery.place().name());
        if (!forgery.after().isZero()) {
            keys.put("after", PlanWriter.text(forgery.after()));
        }
        edits(forgery, false, keys, "set");
        edits(forgery, true, keys, "add");
        forgery.damage().ifPresent(damage -> write(damage, keys));
    }

    private static void edits(Forgery forgery, boolean relative, Map<String, Object> keys, String key) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Forgery.Edit edit : forgery.edits()) {
            if (edit.relative() == relative) {
                boolean named = edit.field() == ForgedField.OPCODE && !relative && hasName((int) edit.value());
                values.put(edit.field().text(), named ? edit.field().words(edit.value()) : (Object) edit.value());
            }
        }
        if (!values.isEmpty()) {
            keys.put(key, values);
        }
    }

    /**
     * True if the name is read back as the same code; the two opcodes with code 0x55 are distinguished by the solicited bit,
     * which is another edit.
     */
    private static boolean hasName(int code) {
        return Opcode.of(code).filter(opcode -> !opcode.isSelectedBySolicited()).isPresent();
    }

    private static void write(FrameDamage damage, Map<String, Object> keys) {
        switch (damage) {
            case FrameDamage.Truncate cut -> keys.put("truncate", cut.bytes());
            case FrameDamage.Resize other -> keys.put("resize", other.bytes());
            case FrameDamage.WrongIcrc wrong -> keys.put("wrong-icrc", true);
            case FrameDamage.Poke poke -> {
                keys.put("byte", poke.at());
                keys.put("value", poke.value());
            }
        }
    }

    static Forgery read(Section keys) {
        Forgery forgery = new Forgery(
                keys.has("back") && keys.flag("back"),
                keys.has("stands") ? keys.one("stands", Place.class) : Place.BEHIND,
                keys.has("after") ? keys.time("after") : Duration.ZERO,
                List.of(),
                damage(keys));
        for (String key : Stream.of("set", "add").filter(keys::has).toList()) {
            Section values = keys.section(key);
            for (String name : values.keys()) {
                ForgedField field = values.named(name, name, ForgedField.class);
                forgery = key.equals("add")
                        ? forgery.add(field, values.whole(name, Long.MIN_VALUE, Long.MAX_VALUE))
                        : set(forgery, field, values, name);
            }
        }
        return forgery;
    }

    private static Forgery set(Forgery forgery, ForgedField field, Section values, String name) {
        boolean named = field == ForgedField.OPCODE
                && !Character.isDigit(values.text(name).charAt(0));
        if (named) {
            return forgery.opcode(values.one(name, Opcode.class));
        }
        return forgery.set(
                field,
                field.max() < 0
                        ? values.whole(name, Long.MIN_VALUE, Long.MAX_VALUE)
                        : values.whole(name, 0, field.max()));
    }

    private static Optional<FrameDamage> damage(Section keys) {
        if (keys.has("truncate")) {
            return Optional.of(new FrameDamage.Truncate((int) keys.whole("truncate", 1, FrameDamage.Resize.MAX)));
        } else if (keys.has("resize")) {
            int max = FrameDamage.Resize.MAX;
            return Optional.of(new FrameDamage.Resize((int) keys.whole("resize", -max, max)));
        } else if (keys.has("wrong-icrc") && keys.flag("wrong-icrc")) {
            return Optional.of(new FrameDamage.WrongIcrc());
        } else if (keys.has("byte")) {
            int at = (int) keys.whole("byte", 0, Integer.MAX_VALUE);
            return Optional.of(new FrameDamage.Poke(at, (int) keys.whole("value", 0, 0xFF)));
        }
        return Optional.empty();
    }
}
