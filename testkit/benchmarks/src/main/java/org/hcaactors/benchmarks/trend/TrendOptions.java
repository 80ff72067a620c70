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
 * What the command line of a trend asks for.
 *
 * @param file that is written or compared with
 * @param rounds of each build; empty: as many as can tell a change from chance
 * @param only figures in whose name this is found, in either case of letters
 * @param quick few figures in short rounds
 */
public record TrendOptions(Task task, Path file, OptionalInt rounds, Optional<Pattern> only, boolean quick) {
    public static final int MAX_ROUNDS = 100;

    private static final String USAGE = "bench --store FILE | --compare FILE [--quick] [--rounds N] [--only PATTERN]";

    /** What else is said of a trend. */
    private static final Set<String> CHOICES = Set.of("--quick", "--rounds", "--only");

    /** What is done. */
    public enum Task {
        /** Runs rounds, and keeps what they show and the build that ran them. */
        STORE("--store"),
        /** Runs rounds of the stored build and of this one in turn, and compares them. */
        COMPARE("--compare"),
        /** Runs one round in this JVM and writes what it shows: what the two others start. */
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

    /** Some of them mean a trend. */
    public static boolean areIn(List<String> arguments) {
        return arguments.stream().anyMatch(each -> Task.called(each).isPresent() || CHOICES.contains(each));
    }

    /** In whatever order they are given; TrendRefusal if they ask for nothing that can be done. */
    public static TrendOptions of(List<String> arguments) {
        List<String> choices = new ArrayList<>(arguments);
        List<String> tasks =
                choices.stream().filter(each -> Task.called(each).isPresent()).toList();
        if (tasks.size() > 1) {
            throw new TrendRefusal(String.join(" and ", tasks) + "; one of them is allowed; " + USAGE);
        }
        if (tasks.isEmpty()) {
            throw new TrendRefusal("neither --store nor --compare is there; " + USAGE);
        }
        Task task = Task.called(tasks.getFirst()).orElseThrow();
        Iterator<String> behind =
                choices.subList(choices.indexOf(task.option()), choices.size()).iterator();
        behind.next();
        behind.remove();
        Path file = Path.of(value(task.option(), behind));
        behind.remove();
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
            throw new TrendRefusal(option + " lacks its value; " + USAGE);
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
            // Refused as any other that is none of them.
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

    /** Those of the suite that are asked for; TrendRefusal if there are none. */
    List<Figure> chosen(List<Figure> suite) {
        List<Figure> chosen = suite.stream()
                .filter(figure -> !quick || figure.isQuick())
                .filter(figure ->
                        only.isEmpty() || only.get().matcher(figure.name()).find())
                .toList();
        if (chosen.isEmpty()) {
            throw new TrendRefusal("no figure of the " + (quick ? "quick suite" : "suite") + " has a name with "
                    + only.map(Pattern::pattern).orElse("anything"));
        }
        return chosen;
    }
}
