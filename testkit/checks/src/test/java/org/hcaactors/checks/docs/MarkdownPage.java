// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of Markdown as GitHub shows it.
 *
 * @param prose its text with blanks in the place of blocks of code, so that its lines stay where they are
 */
public record MarkdownPage(Path file, String prose) {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern BLOCK = Pattern.compile("^ *```.*?^ *```\\s*?$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[(?:`[^`]*`|\\\\.|[^\\]\\\\])*\\]\\((?<target>[^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (?<words>.*?)\\s*$", Pattern.MULTILINE);
    private static final Pattern ELSEWHERE = Pattern.compile("^[a-z]+:.*");

    /**
     * A link to a file of the repository.
     *
     * @param path as the page has it; empty for the page itself
     * @param anchor empty where the link has none
     */
    record Link(String path, String anchor) {
        static Link of(String target) {
            int hash = target.indexOf('#');
            return hash < 0 ? new Link(target, "") : new Link(target.substring(0, hash), target.substring(hash + 1));
        }
    }

    /** Returns every page below docs, and those of the root. */
    public static List<MarkdownPage> all() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Stream<Path> top =
                    Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(ROOT::resolve);
            return Stream.concat(
                            top,
                            docs.filter(file -> file.toString().endsWith(".md")
                                            && !file.toString().contains("node_modules"))
                                    .sorted())
                    .map(MarkdownPage::read)
                    .toList();
        }
    }

    static MarkdownPage read(Path file) {
        try {
            return new MarkdownPage(
                    file,
                    BLOCK.matcher(Files.readString(file))
                            .replaceAll(block -> block.group().replaceAll("[^\\n]", " ")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Those that name no other host. */
    List<Link> links() {
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group("target"))
                .filter(target -> !ELSEWHERE.matcher(target).matches())
                .map(Link::of)
                .toList();
    }

    /** Where a link of this page leads. */
    Path target(Link link) {
        return link.path().isEmpty() ? file : file.resolveSibling(link.path()).normalize();
    }

    /** Of its headings, as GitHub makes them: a heading that comes again has a number behind it. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        HEADING.matcher(prose)
                .results()
                .map(heading -> anchor(heading.group("words")))
                .forEach(anchor -> {
                    int before = seen.merge(anchor, 1, Integer::sum) - 1;
                    anchors.add(before == 0 ? anchor : anchor + "-" + before);
                });
        return anchors;
    }

    private static String anchor(String heading) {
        return LINK.matcher(heading)
                .replaceAll(link -> Matcher.quoteReplacement(link.group().replaceAll("^\\[|\\]\\(.*", "")))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                .replace(' ', '-');
    }
}
