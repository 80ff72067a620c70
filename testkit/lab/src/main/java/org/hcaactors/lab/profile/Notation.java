// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Text form of a value.
 *
 * @param allowed describes the allowed texts
 * @param read parses a text; empty if it is not allowed
 * @param show writes a value as a user would type it
 */
record Notation<V>(String allowed, Function<String, Optional<V>> read, Function<V, String> show) {
    private static final String NOTHING = "none";

    static final Notation<Boolean> FLAG = new Notation<>(
            "yes and no are allowed",
            text -> switch (text.toLowerCase(Locale.ROOT)) {
                case "yes", "true", "on" -> Optional.of(true);
                case "no", "false", "off" -> Optional.of(false);
                default -> Optional.empty();
            },
            on -> on ? "yes" : "no");

    /** 64 bits, in hexadecimal digits. */
    static final Notation<Long> MASK = new Notation<>(
            "0x and 1 to 16 hexadecimal digits are allowed",
            text -> text.matches("0x[0-9a-fA-F]{1,16}")
                    ? Optional.of(Long.parseUnsignedLong(text.substring(2), 16))
                    : Optional.empty(),
            "0x%x"::formatted);

    static Notation<Long> number(long min, long max) {
        return new Notation<>(
                min + " to " + max + " are allowed",
                text -> text.matches("[0-9]{1,18}")
                        ? Optional.of(Long.parseLong(text)).filter(value -> value >= min && value <= max)
                        : Optional.empty(),
                value -> Long.toString(value));
    }

    static <E extends Enum<E>> Notation<E> one(Class<E> kind) {
        return new Notation<>(
                words(List.of(kind.getEnumConstants())) + " are allowed", text -> constant(kind, text), Notation::word);
    }

    /** Returns a notation for a set of constants: separated by commas, or none. */
    static <E extends Enum<E>> Notation<Set<E>> several(Class<E> kind) {
        return new Notation<>(
                words(List.of(kind.getEnumConstants())) + ", separated by commas, and none are allowed",
                text -> {
                    Set<E> all = EnumSet.noneOf(kind);
                    for (String word : items(text)) {
                        Optional<E> one = constant(kind, word);
                        if (one.isEmpty()) {
                            return Optional.empty();
                        }
                        all.add(one.get());
                    }
                    return Optional.of(all);
                },
                all -> all.isEmpty() ? NOTHING : words(all).replace(", ", ","));
    }

    /** Returns a notation for a set of these numbers: separated by commas, or none. */
    static Notation<Set<Integer>> sizes(List<Integer> these) {
        List<String> words = these.stream().map(String::valueOf).toList();
        return new Notation<>(
                String.join(", ", words) + ", separated by commas, and none are allowed",
                text -> words.containsAll(items(text))
                        ? Optional.of(items(text).stream().map(Integer::valueOf).collect(Collectors.toSet()))
                        : Optional.empty(),
                all -> all.isEmpty()
                        ? NOTHING
                        : all.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
    }

    private static List<String> items(String text) {
        return text.equalsIgnoreCase(NOTHING)
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    private static <E extends Enum<E>> Optional<E> constant(Class<E> kind, String text) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(each -> word(each).equals(text.toLowerCase(Locale.ROOT).replace('_', '-')))
                .findFirst();
    }

    private static <E extends Enum<E>> String words(Collection<E> all) {
        return all.stream().map(Notation::word).collect(Collectors.joining(", "));
    }

    /** Returns the constant's name: {@code shared-receive}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
