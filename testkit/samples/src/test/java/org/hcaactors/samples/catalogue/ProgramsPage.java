// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.Pace;

/** The guide's page of bugs that the testkit finds in programs: one table per language, of which this is one. */
public record ProgramsPage(Language language, List<Entry> entries) {
    /** Number of seeds within which each bug is found. */
    static final long SEEDS = 300;

    private static final Path PAGE = Path.of("../../docs/guide/programs.md");
    private static final String HEAD = "| program | bug | seeds until found | of 300 seeds | it takes | explanation |\n"
            + "|---|---|---|---|---|---|\n";

    /** Language of the programs. */
    public enum Language {
        JAVA("Java", "java"),
        KOTLIN("Kotlin", "kt");

        private final String word;
        private final String extension;

        Language(String word, String extension) {
            this.word = word;
            this.extension = extension;
        }

        private String begins() {
            return "## In " + word + "\n\n";
        }

        private String file(String program) {
            return "../../testkit/samples/src/test/%s/org/hcaactors/samples/catalogue/%s.%s"
                    .formatted(word.toLowerCase(Locale.ROOT), program, extension);
        }
    }

    /**
     * Verifies that one of the first 300 seeds finds the bug, and that the page has this seed and the explanation of its run.
     */
    public void assertFound(Entry entry) {
        Trial wrong = Trial.ofWrong(entry);
        Trial.Failure found = wrong.firstFailure(SEEDS)
                .orElseThrow(() -> new AssertionError(entry + ": found by none of " + SEEDS + " seeds"));
        String row = name(entry) + until(found) + "|";
        if (Boolean.getBoolean("catalogue.write")) {
            write(entry, row + measured(wrong, found.seed()) + says(found));
        }
        assertThat(table())
                .as("made anew by -Dcatalogue.write=true; the run failed with %s", found)
                .anySatisfy(line -> assertThat(line).startsWith(row).endsWith(says(found)));
    }

    /** Verifies that the table has exactly these entries, in their order. */
    public void assertComplete() {
        assertThat(table())
                .extracting(row -> row.substring(0, row.indexOf(']')))
                .isEqualTo(entries.stream().map(entry -> "| [" + entry).toList());
    }

    private String name(Entry entry) {
        String swarm = entry.swarm() == Swarm.OFF ? "" : " (`Swarm." + entry.swarm() + "`)";
        return "| [%s](%s) | %s%s |".formatted(entry, language.file(entry.toString()), entry.bug(), swarm);
    }

    private static String until(Trial.Failure found) {
        return " " + (found.seed() + 1) + " ";
    }

    private static String says(Trial.Failure found) {
        return "| " + found.told().replace("|", "\\|") + " |";
    }

    private static String measured(Trial wrong, long seed) {
        return " " + wrong.failures(SEEDS) + " | " + whatItTakes(wrong.shrunk(seed)) + " ";
    }

    /** Describes what the failure needs: faults, time between steps, an order of tasks. */
    private static String whatItTakes(Shrunk shrunk) {
        List<String> takes = new ArrayList<>();
        shrunk.left().faults().forEach(fault -> takes.add(fault.words()));
        if (!shrunk.attempt().pace().equals(Pace.INSTANT)) {
            takes.add("pauses between steps");
        }
        shrunk.attempt()
                .schedule()
                .map(schedule -> schedule.departures())
                .ifPresentOrElse(
                        turns -> {
                            if (turns > 0) {
                                takes.add(turns == 1 ? "1 turn out of order" : turns + " turns out of order");
                            }
                        },
                        () -> takes.add("the seed's order"));
        return takes.isEmpty() ? "nothing" : String.join(", ", takes);
    }

    /** Returns the rows of the table. */
    private List<String> table() {
        String page = read();
        int from = page.indexOf(language.begins() + HEAD);
        assertThat(from).as("where the table in %s begins", language.word).isNotNegative();
        return page.substring(from + language.begins().length() + HEAD.length())
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    /** Writes the row at its place. */
    private void write(Entry entry, String row) {
        List<String> old = table();
        List<String> rows = new ArrayList<>();
        for (Entry each : entries) {
            if (each.toString().equals(entry.toString())) {
                rows.add(row);
            } else {
                old.stream().filter(line -> line.startsWith("| [" + each + "]")).forEach(rows::add);
            }
        }
        String page = read();
        int from = page.indexOf(language.begins() + HEAD) + language.begins().length() + HEAD.length();
        int length = old.stream().mapToInt(line -> line.length() + 1).sum();
        String table = String.join("\n", rows) + "\n";
        try {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(from + length));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static String read() {
        try {
            return Files.readString(PAGE);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
