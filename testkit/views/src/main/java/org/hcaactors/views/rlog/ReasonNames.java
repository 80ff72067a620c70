// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Reason;

/**
 * Names of reasons in recorded runs, derived from their types: {@code go_back:timeout}, {@code packet_mismatch:pkey}. Renaming
 * a type changes the file format; a test compares the names with the format's page.
 */
final class ReasonNames {
    private static final Pattern WORD_BEGINS = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private static final Map<String, Reason> CONSTANTS = kinds(Reason.class)
            .filter(Class::isEnum)
            .flatMap(kind -> Arrays.stream(kind.getEnumConstants()))
            .collect(Collectors.toUnmodifiableMap(ReasonNames::of, Function.identity()));

    private static final Map<String, Class<? extends Reason>> RECORDS = kinds(Reason.class)
            .filter(Class::isRecord)
            .collect(Collectors.toUnmodifiableMap(ReasonNames::of, Function.identity()));

    private ReasonNames() {}

    private static Stream<Class<? extends Reason>> kinds(Class<?> family) {
        return family.isInterface()
                ? Arrays.stream(family.getPermittedSubclasses()).flatMap(ReasonNames::kinds)
                : Stream.of(family.asSubclass(Reason.class));
    }

    static String of(Reason reason) {
        return reason instanceof Enum<?> constant
                ? room(reason.getClass()) + word(constant.name())
                : of(reason.getClass());
    }

    static String of(Class<? extends Reason> kind) {
        return room(kind) + word(kind.getSimpleName());
    }

    /** Returns the group: that of a nested type is its outer type, that of a constant its enum; others have none. */
    private static String room(Class<?> kind) {
        Class<?> outer = kind.getEnclosingClass();
        if (outer != null) {
            return word(outer.getSimpleName()) + ":";
        }
        return kind.isEnum() ? word(kind.getSimpleName()) + ":" : "";
    }

    private static String word(String name) {
        return WORD_BEGINS.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
    }

    static Optional<Reason> constant(String name) {
        return Optional.ofNullable(CONSTANTS.get(name));
    }

    static Optional<Class<? extends Reason>> kind(String name) {
        return Optional.ofNullable(RECORDS.get(name));
    }

    /** Returns all names that this version writes. */
    static SortedSet<String> all() {
        SortedSet<String> all = new TreeSet<>(CONSTANTS.keySet());
        all.addAll(RECORDS.keySet());
        return all;
    }
}
