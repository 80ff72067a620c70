// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of the rule book, parsed: each rule is a heading with its id, its text, and a list of its sources. */
record RuleBook(List<Rule> rules) {
    /** Pages without rules. */
    private static final Set<String> OTHER_PAGES = Set.of("README.md");

    private static final Pattern ENTRY = Pattern.compile("(?ms)^## (.*?)$(.*?)(?=^## |\\z)");
    private static final Pattern FIELD = Pattern.compile("(?ms)^- (\\w[\\w ]*): (.*?)(?=^- |\\z)");
    private static final Set<String> FIELDS = Set.of("Source", "Own choice", "Profile", "No code", "No test");

    static RuleBook of(Path folder) throws IOException {
        List<Rule> rules = new ArrayList<>();
        for (Path page : pages(folder)) {
            rules.addAll(read(page.getFileName().toString().replace(".md", ""), Files.readString(page)));
        }
        return new RuleBook(List.copyOf(rules));
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !OTHER_PAGES.contains(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    static List<Rule> read(String page, String text) {
        return ENTRY.matcher(text)
                .results()
                .map(entry -> rule(page, entry.group(1).strip(), entry.group(2)))
                .toList();
    }

    private static Rule rule(String page, String id, String body) {
        Matcher field = FIELD.matcher(body);
        int listAt = field.find() ? field.start() : body.length();
        String list = body.substring(listAt);
        FIELD.matcher(list)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !FIELDS.contains(name))
                .forEach(name -> {
                    throw new IllegalArgumentException(id + " has a field " + name + "; there are " + FIELDS);
                });
        List<String> sources =
                field("Source", list).map(all -> List.of(all.split("; "))).orElse(List.of());
        return new Rule(
                id,
                page,
                oneLine(body.substring(0, listAt)),
                sources,
                field("Own choice", list),
                field("Profile", list),
                field("No code", list),
                field("No test", list));
    }

    private static Optional<String> field(String name, String list) {
        return FIELD.matcher(list)
                .results()
                .filter(found -> found.group(1).equals(name))
                .map(found -> oneLine(found.group(2)))
                .findFirst();
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
