// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

// rule firmware-types
/** Type of a parameter: its values as numbers and as text. Immutable. More may follow: a switch over them wants a default. */
public sealed interface ParameterType {
    /** Returns all values of the type; an adapter may allow fewer. */
    ValueRange range();

    /** Parses a value; empty if it is not a value of the type. */
    OptionalLong parse(String text);

    /** Formats a value as in a query. */
    String show(long value);

    /** Describes the allowed values in a range. */
    String allowed(ValueRange within);

    /** Off and on: {@code 0}, {@code 1}, {@code False} and {@code True}, ignoring case. These are all that there are. */
    enum Bool implements ParameterType {
        BOOL;

        @Override
        public ValueRange range() {
            return new ValueRange(0, 1);
        }

        @Override
        public OptionalLong parse(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "0", "false" -> OptionalLong.of(0);
                case "1", "true" -> OptionalLong.of(1);
                default -> OptionalLong.empty();
            };
        }

        @Override
        public String show(long value) {
            return value == 0 ? "False(0)" : "True(1)";
        }

        @Override
        public String allowed(ValueRange within) {
            return "False, True, 0 and 1 are allowed";
        }
    }

    /** One of several names, numbered from 0; parsed by number or by name, ignoring case. */
    record Choice(List<String> names) implements ParameterType {
        public Choice {
            names = List.copyOf(names);
        }

        @Override
        public ValueRange range() {
            return new ValueRange(0, names.size() - 1L);
        }

        @Override
        public OptionalLong parse(String text) {
            Optional<Integer> named = IntStream.range(0, names.size())
                    .boxed()
                    .filter(number -> names.get(number).equalsIgnoreCase(text))
                    .findFirst();
            return named.isPresent() ? OptionalLong.of(named.get()) : number(text);
        }

        @Override
        public String show(long value) {
            return names.get((int) value) + "(" + value + ")";
        }

        @Override
        public String allowed(ValueRange within) {
            return IntStream.rangeClosed((int) within.min(), (int) within.max())
                    .mapToObj(this::show)
                    .collect(Collectors.joining(", ", "", " are allowed, by name or number"));
        }
    }

    /**
     * A number; decimal, or hexadecimal after {@code 0x}.
     *
     * @param bits 1 to 32, unsigned
     */
    record Number(int bits) implements ParameterType {
        @Override
        public ValueRange range() {
            return new ValueRange(0, (1L << bits) - 1);
        }

        @Override
        public OptionalLong parse(String text) {
            return number(text);
        }

        @Override
        public String show(long value) {
            return Long.toString(value);
        }

        @Override
        public String allowed(ValueRange within) {
            return within.min() + " to " + within.max() + " are allowed";
        }
    }

    private static OptionalLong number(String text) {
        boolean hexadecimal = text.regionMatches(true, 0, "0x", 0, 2);
        String digits = hexadecimal ? text.substring(2) : text;
        // Long's parser would accept a sign, and digits of any script.
        if (!digits.matches(hexadecimal ? "[0-9A-Fa-f]{1,15}" : "[0-9]{1,18}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(digits, hexadecimal ? 16 : 10));
    }
}
