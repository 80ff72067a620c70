// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The page for users who depend on the jars.
 *
 * @param text all of it
 * @param rows of its table of jars
 * @param project the POM that it shows
 */
record JarsPage(String text, List<Row> rows, String project) {
    private static final Pattern ROW = Pattern.compile(
            "^\\| `(?<module>[\\w.]+)` \\| `(?<jar>[\\w-]+)` \\| (?<exports>[^|]+) \\| (?<brings>[^|]+) \\|$",
            Pattern.MULTILINE);

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private static final Pattern PROJECT = Pattern.compile("```xml\n(<project.*?)```", Pattern.DOTALL);

    /** @param exports to all */
    record Row(String module, String jar, String exports, String brings) {
        /** What a module shows, in the words of the page. */
        boolean tellsExportsOf(Declaration declaration) {
            Set<String> hidden = new TreeSet<>(declaration.packages());
            hidden.removeAll(declaration.toAll());
            return switch (exports) {
                case "nothing" -> declaration.toAll().isEmpty();
                case "all packages" -> hidden.isEmpty();
                case "its package" -> hidden.isEmpty() && declaration.packages().size() == 1;
                default ->
                    exports.startsWith("all packages but ")
                            ? hidden.equals(Set.copyOf(quoted(exports)))
                            : areCalled(declaration.toAll(), quoted(exports));
            };
        }

        /** A package is called by its last name where another one stands before it. */
        private static boolean areCalled(Set<String> packages, List<String> names) {
            return names.size() == packages.size()
                    && packages.stream()
                            .allMatch(each ->
                                    names.stream().anyMatch(name -> each.equals(name) || each.endsWith("." + name)));
        }

        List<String> broughtJars() {
            return quoted(brings);
        }
    }

    private static List<String> quoted(String text) {
        return QUOTED.matcher(text).results().map(each -> each.group(1)).toList();
    }

    static JarsPage read() {
        try {
            String text = Files.readString(Pom.ROOT.resolve("docs/guide/jars.md"));
            List<Row> rows = ROW.matcher(text)
                    .results()
                    .map(row ->
                            new Row(row.group("module"), row.group("jar"), row.group("exports"), row.group("brings")))
                    .toList();
            Stream<String> projects = PROJECT.matcher(text).results().map(each -> each.group(1));
            return new JarsPage(text, rows, projects.findFirst().orElse(""));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
