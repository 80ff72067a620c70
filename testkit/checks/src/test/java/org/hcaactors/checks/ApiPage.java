// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The page that lists the public API of Java by jar and package, with the first sentence of each type's Javadoc. */
final class ApiPage {
    static final Path FILE = Pom.ROOT.resolve("docs/reference/api.md");

    /** From where the page is to the root. */
    private static final String UP = "../../";

    private static final String SOURCES = "src/main/java";

    private static final String HEAD = """
            # Public API by area

            Jars with their public packages and types, each type with the first sentence of its Javadoc. Kotlin functions are in
            [the table of verbs](verbs.md). `ApiPageTest` generates this page.
            """;

    private static final Pattern TYPE = Pattern.compile(
            "(?:^/\\*\\*(?<comment>(?:(?!\\*/).)*)\\*/\\s+)?"
                    + "^(?:@[\\w.]+(?:\\([^;]*?\\))?(?:\\s+//[^\n]*)?\\s+)*+public (?:[a-z-]+ )*(?:class|record|interface|enum|@interface) (?<name>\\w+)",
            Pattern.DOTALL | Pattern.MULTILINE);

    private static final Pattern PACKAGE =
            Pattern.compile("^/\\*\\*(?<comment>(?:(?!\\*/).)*)\\*/", Pattern.DOTALL | Pattern.MULTILINE);

    private static final Pattern TAG = Pattern.compile("\\{@(?<kind>\\w+)\\s+(?<what>[^\\s}]+)\\s*(?<label>[^}]*)}");

    private static final Pattern SENTENCE = Pattern.compile("^.*?\\.(?=\\s|$)");

    /** A type and what it is. */
    record Line(Path file, String name, String sentence) {}

    private ApiPage() {}

    static String text() {
        return HEAD
                + Pom.all().stream().filter(Pom::isPublished).map(ApiPage::jar).collect(joining());
    }

    /** Every type on the page. */
    static List<Line> lines() {
        return Pom.all().stream()
                .filter(Pom::isPublished)
                .flatMap(jar -> folders(jar).stream())
                .flatMap(folder -> types(folder).stream())
                .toList();
    }

    private static String jar(Pom pom) {
        String sections = folders(pom).stream().map(ApiPage::section).collect(joining());
        return sections.isEmpty() ? "" : "\n## " + pom.artifact() + "\n" + sections;
    }

    private static String section(Path folder) {
        List<Line> types = types(folder);
        String rows = types.stream()
                .map(type -> "| [%s](%s) | %s |\n".formatted(type.name(), link(type.file()), type.sentence()))
                .collect(joining());
        return types.isEmpty()
                ? ""
                : "\n### `%s`\n\n%s\n\n| type | |\n|---|---|\n%s".formatted(packageName(folder), about(folder), rows);
    }

    private static String link(Path file) {
        return UP + Pom.ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** Folders of public packages, by name. */
    private static List<Path> folders(Pom pom) {
        Path sources = pom.directory().resolve(SOURCES);
        if (!Files.exists(sources)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(sources)) {
            return all.filter(Files::isDirectory)
                    .filter(folder -> PublicPackages.have(packageName(folder)))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String packageName(Path folder) {
        String path = folder.toString().replace('\\', '/');
        return path.substring(path.indexOf(SOURCES) + SOURCES.length())
                .replaceFirst("^/", "")
                .replace('/', '.');
    }

    private static String about(Path folder) {
        Stream<MatchResult> comments =
                PACKAGE.matcher(read(folder.resolve("package-info.java"))).results();
        return comments.map(comment -> sentence(comment.group("comment")))
                .findFirst()
                .orElse("");
    }

    private static List<Line> types(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .sorted()
                    .flatMap(file -> type(file).stream())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The type that a file is named after, if it is public. */
    private static List<Line> type(Path file) {
        return TYPE.matcher(read(file))
                .results()
                .filter(type -> file.endsWith(type.group("name") + ".java"))
                .map(type -> new Line(file, type.group("name"), sentence(type.group("comment"))))
                .toList();
    }

    /** The first sentence of a comment as Markdown, fit for a cell of a table. */
    private static String sentence(@Nullable String comment) {
        if (comment == null) {
            return "";
        }
        String words =
                comment.replaceAll("\\n\\s*\\* ?", " ").replaceAll("\\s+", " ").strip();
        String paragraph = TAG.matcher(words.replaceAll("(<p>| @\\w+ ).*", ""))
                .replaceAll(tag -> Matcher.quoteReplacement(shown(tag)));
        Stream<MatchResult> sentences = SENTENCE.matcher(paragraph).results();
        return sentences
                .map(MatchResult::group)
                .findFirst()
                .orElse(paragraph)
                .replace("|", "\\|")
                .strip();
    }

    private static String shown(MatchResult tag) {
        boolean isLink = tag.group("kind").startsWith("link");
        String what = tag.group("what")
                .replaceFirst("^#|^(?:[a-z]\\w*\\.)+(?=[A-Z])", "")
                .replace('#', '.');
        if (isLink && !tag.group("label").isBlank()) {
            return tag.group("label");
        }
        return "`"
                + (isLink ? what : tag.group("what") + (tag.group("label").isBlank() ? "" : " " + tag.group("label")))
                + "`";
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
