// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Checks options that are numbers or names; an error says which values are allowed. */
final class Ranges {
    private Ranges() {}

    /**
     * Checks the numbers of a command and its subcommands.
     *
     * @throws ParameterException if a number is out of its range
     */
    static void check(ParseResult parsed) {
        if (parsed.isUsageHelpRequested()) {
            return;
        }
        for (ArgSpec option : parsed.commandSpec().args()) {
            Object value = option.getValue();
            if (value instanceof Number number && !isAllowed(option, number)) {
                CommandLine command = parsed.commandSpec().commandLine();
                throw new ParameterException(command, refusal(option, value.toString()), option, value.toString());
            }
        }
        Optional.ofNullable(parsed.subcommand()).ifPresent(Ranges::check);
    }

    /** Returns why an argument was refused; for one that is not a number, the allowed range. */
    static String words(ParameterException wrong) {
        ArgSpec option = wrong.getArgSpec();
        String value = wrong.getValue();
        if (option != null && value != null && isPlainEnum(option)) {
            return name(option) + " is " + value + "; " + names(option) + " is allowed";
        }
        return option == null || value == null || allowed(option).isEmpty()
                ? String.valueOf(wrong.getMessage())
                : refusal(option, value);
    }

    static Optional<AllowedRange> allowed(ArgSpec option) {
        return option.userObject() instanceof Field field
                ? Optional.ofNullable(field.getAnnotation(AllowedRange.class))
                : Optional.empty();
    }

    private static boolean isAllowed(ArgSpec option, Number number) {
        return allowed(option)
                .map(range -> number instanceof Double real
                        ? real >= range.min() && real <= range.max()
                        : number.longValue() >= range.min() && number.longValue() <= range.max())
                .orElse(true);
    }

    private static String name(ArgSpec option) {
        return option instanceof CommandLine.Model.OptionSpec named ? named.longestName() : option.paramLabel();
    }

    /** An option with a converter has names of its own, which the converter reports. */
    private static boolean isPlainEnum(ArgSpec option) {
        return option.typeInfo().isEnum() && option.converters().length == 0;
    }

    /** Returns the names of its enum as the help shows them. */
    private static String names(ArgSpec option) {
        List<String> all = option.typeInfo().getEnumConstantNames().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        int last = all.size() - 1;
        return String.join(", ", all.subList(0, last)) + " or " + all.get(last);
    }

    private static String refusal(ArgSpec option, @Nullable String value) {
        return name(option) + " is " + value + "; "
                + allowed(option).map(range -> words(option, range)).orElseThrow();
    }

    private static String words(ArgSpec option, AllowedRange range) {
        boolean fractions = option.type() == Double.class || option.type() == double.class;
        if (range.min() == range.max()) {
            return "only " + range.min() + " is allowed";
        }
        if (fractions && range.max() == Long.MAX_VALUE) {
            return "a number of at least " + range.min() + " is allowed";
        }
        return (fractions ? "a number" : "a whole number") + " from " + range.min() + " to " + range.max()
                + " is allowed";
    }
}
