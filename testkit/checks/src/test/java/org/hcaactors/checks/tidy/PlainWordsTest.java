// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.checks.SourceCode;
import org.hcaactors.checks.docs.MarkdownPage;
import org.junit.jupiter.api.Test;

/**
 * Words that comments, pages and names avoid. {@code banned-words.txt} has a line for each: the word, and what to write instead.
 * Reviewers extend it when a word keeps coming back.
 */
class PlainWordsTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<Banned> BANNED = Banned.read(Path.of("src/test/resources/banned-words.txt"));
    private static final Pattern CODE_IN_TEXT = Pattern.compile("\\{@\\w+ [^}]*}|`[^`\\n]*`|\\]\\([^)]*\\)");
    private static final Pattern TYPE = Pattern.compile("\\s*(?:@[\\w.]+(?:\\((?:[^()]|\\([^)]*\\))*\\))?\\s*)*"
            + "(?:(?:public|abstract|final|sealed|non-sealed|static|protected|private|strictfp)\\s+)*"
            + "(?:class|record|interface|enum|@interface)\\s+(?<name>\\w+)");
    private static final Pattern QUESTION =
            Pattern.compile("/\\*\\*[\\s*]*(?<word>What|Who|Which|Where|How|Whose|Whom|When)\\b");

    private record Banned(Pattern word, String instead) {
        static List<Banned> read(Path file) {
            try (Stream<String> lines = Files.lines(file)) {
                return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .map(line -> line.split("\\s*=\\s*", 2))
                        .map(parts -> new Banned(Pattern.compile("(?i)\\b(?:" + parts[0] + ")\\b"), parts[1]))
                        .toList();
            } catch (IOException unreadable) {
                throw new AssertionError(file + " is not there", unreadable);
            }
        }
    }

    @Test
    void bannedWordsAndSourcesAreRead() throws IOException {
        assertThat(BANNED).hasSizeGreaterThan(5);
        assertThat(SourceFile.below(ROOT)).hasSizeGreaterThan(1000);
    }

    @Test
    void commentsAreWrittenInPlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (SourceFile source : SourceFile.below(ROOT)) {
            SourceCode.comments(source.text())
                    .forEach(comment -> collect(source.path(), source.text(), comment.start(), comment.group(), found));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void pagesAreWrittenInPlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (MarkdownPage page : MarkdownPage.all()) {
            collect(ROOT.relativize(page.file()).toString(), page.prose(), 0, page.prose(), found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void typesAreNamedInPlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (SourceFile source : SourceFile.below(ROOT)) {
            String words = source.simpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ");
            BANNED.stream()
                    .filter(banned -> banned.word.matcher(words).find())
                    .forEach(banned -> found.add(source.path() + ": better " + banned.instead));
        }
        assertThat(found).isEmpty();
    }

    /** A reader who opens a file learns first what the type is, as a noun phrase. */
    @Test
    void aTypesCommentBeginsWithANounPhrase() throws IOException {
        List<String> found = new ArrayList<>();
        for (SourceFile source : SourceFile.below(ROOT)) {
            SourceCode.comments(source.text()).forEach(comment -> {
                Matcher question = QUESTION.matcher(comment.group());
                Matcher type = TYPE.matcher(source.text())
                        .region(comment.end(), source.text().length());
                if (question.lookingAt() && type.lookingAt()) {
                    found.add(source.path() + ": " + type.group("name") + " begins with " + question.group("word"));
                }
            });
        }
        assertThat(found).isEmpty();
    }

    private static void collect(String path, String whole, int offset, String text, List<String> found) {
        String prose = blanked(CODE_IN_TEXT, text);
        for (Banned banned : BANNED) {
            Matcher word = banned.word.matcher(prose);
            while (word.find()) {
                long line = whole.substring(0, offset + word.start()).lines().count();
                found.add("%s:%d: \"%s\", better %s".formatted(path, line, word.group(), banned.instead));
            }
        }
    }

    /** The text with blanks where the pattern matches, so that places stay where they are. */
    private static String blanked(Pattern pattern, String text) {
        return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\\n]", " "));
    }
}
