// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Command line of a trend.
 *
 * @param file file to write or to compare with
 * @param rounds rounds of each build; empty: the minimum that can be significant
 * @param only pattern for the names of the figures, case-insensitive
 * @param quick true for few figures in short rounds
 */
public record TrendOptions(Task task, Path file, OptionalInt rounds, Optional<Pattern> only, boolean quick) {
    public static final int MAX_ROUNDS = 100;

    private static final String USAGE = "bench --store FILE | --compare FILE [--quick] [--rounds N] [--only PATTERN]";

    /** Options besides the task. */
    private static final Set<String> CHOICES = Set.of("--quick", "--rounds", "--only");

    /** The task. */
    public enum Task {
        /** Runs rounds, and stores their results and the build. */
        STORE("--store"),
        /** Runs rounds of the stored build and of this one in turn, and compares them. */
        COMPARE("--compare"),
        /** Runs one round in this JVM and writes its results; the other tasks start it. */
        ROUND("--round");

        private final String option;

        Task(String option) {
            this.option = option;
        }

        public String option() {
            return option;
        }

        private static Optional<Task> called(String option) {
            return Arrays.stream(values())
                    .filter(task -> task.option.equals(option))
                    .findFirst();
        }
    }

    /** True if one of the arguments is an option of a trend. */
    public static boolean areIn(List<String> arguments) {
        return arguments.stream().anyMatch(each -> Task.called(each).isPresent() || CHOICES.contains(each));
    }

    /** Parses the options, in any order; TrendRefusal if they are invalid. */
    public static TrendOptions of(List<String> arguments) {
        List<String> choices = new ArrayList<>(arguments);
        List<String> tasks =
                choices.stream().filter(each -> Task.called(each).isPresent()).toList();
        if (tasks.size() > 1) {
            throw new TrendRefusal(String.join(" and ", tasks) + "; only one of them is allowed; " + USAGE);
        }
        if (tasks.isEmpty()) {
            throw new TrendRefusal("--store or --compare is required; " + USAGE);
        }
        Task task = Task.called(tasks.getFirst()).orElseThrow();
        Iterator<String> following =
                choices.subList(choices.indexOf(task.option()), choices.size()).iterator();
        following.next();
        following.remove();
        Path file = Path.of(value(task.option(), following));
        following.remove();
        TrendOptions options = new TrendOptions(task, file, OptionalInt.empty(), Optional.empty(), false);
        for (Iterator<String> rest = choices.iterator(); rest.hasNext(); ) {
            options = options.with(rest.next(), rest);
        }
        return options;
    }

    private TrendOptions with(String option, Iterator<String> rest) {
        return switch (option) {
            case "--quick" -> new TrendOptions(task, file, rounds, only, true);
            case "--rounds" -> new TrendOptions(task, file, OptionalInt.of(rounds(value(option, rest))), only, quick);
            case "--only" -> new TrendOptions(task, file, rounds, Optional.of(pattern(value(option, rest))), quick);
            default -> throw new TrendRefusal("unknown option " + option + "; " + USAGE);
        };
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new TrendRefusal(option + " requires a value; " + USAGE);
        }
        return rest.next();
    }

    private static int rounds(String text) {
        try {
            int rounds = Integer.parseInt(text);
            if (rounds >= 1 && rounds <= MAX_ROUNDS) {
                return rounds;
            }
        } catch (NumberFormatException noNumber) {
            // Refused below like any other invalid number.
        }
        throw new TrendRefusal("--rounds " + text + "; 1 to " + MAX_ROUNDS + " are allowed");
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException wrong) {
            throw new TrendRefusal("--only " + text + " is no pattern: " + wrong.getDescription());
        }
    }

    /** Returns the requested figures of the suite; throws TrendRefusal if there are none. */
    List<ComparedBenchmark> chosen(List<ComparedBenchmark> suite) {
        List<ComparedBenchmark> chosen = suite.stream()
                .filter(figure -> !quick || figure.isQuick())
                .filter(figure ->
                        only.isEmpty() || only.get().matcher(figure.name()).find())
                .toList();
        if (chosen.isEmpty()) {
            throw new TrendRefusal("no figure of the " + (quick ? "quick suite" : "suite") + " has a name that matches "
                    + only.map(Pattern::pattern).orElse("anything"));
        }
        return chosen;
    }
}
