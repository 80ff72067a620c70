// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks the rule book and its citations: every rule is implemented by code and checked by a test, and every cited rule exists.
 * The generated pages are in {@code target/site/rules}.
 */
class RuleBookTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path BOOK = ROOT.resolve("docs/rules");
    private static final Path CAPTURES = ROOT.resolve("fabric/packet/src/test/resources/captures");
    private static final Path SUITE =
            ROOT.resolve("testkit/adapter-tests/src/test/resources/conformance/rdma-unit-test.txt");
    private static final String NEIGHBOURS = "testkit/adapter-tests/src/test/java/org/hcaactors/conformance/";
    private static final Path PROFILES = ROOT.resolve("api/src/main/java/org/hcaactors/api");

    /** Comments in this package about rules do not cite any. */
    private static final String OWN_ROOM = "/org/hcaactors/checks/rules/";

    private static final Set<String> READ = Set.of("java", "kt", "md", "conf", "txt", "xml");

    private static RuleBook book;
    private static List<Citation> citations;
    private static Map<String, String> files;

    @BeforeAll
    static void read() throws IOException {
        book = RuleBook.of(BOOK);
        files = sources();
        citations = files.entrySet().stream()
                .flatMap(file -> Citation.in(file.getKey(), file.getValue()).stream())
                .toList();
    }

    /** Returns the texts of the project by path, without build output and without the rule book. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> found = new TreeMap<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean left =
                        name.equals("target") || name.startsWith(".") && !folder.equals(ROOT) || folder.equals(BOOK);
                return left ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String path = ROOT.relativize(file).toString().replace('\\', '/');
                if (READ.contains(path.substring(path.lastIndexOf('.') + 1)) && !path.contains(OWN_ROOM)) {
                    found.put(path, Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    @Test
    void everyRuleHasAUniqueIdWithThePrefixOfItsPage() {
        assertThat(book.rules()).extracting(Rule::id).doesNotHaveDuplicates().hasSizeGreaterThan(10);
        assertThat(book.rules())
                .allSatisfy(rule -> assertThat(rule.id()).matches(Rule.ID).startsWith(rule.page() + "-"));
    }

    @Test
    void theBookListsItsPages() throws IOException {
        String list = Files.readString(BOOK.resolve("README.md"));
        assertThat(book.rules())
                .extracting(Rule::page)
                .allMatch(page -> list.contains("[" + page + "](" + page + ".md)"));
    }

    @Test
    void everyRuleHasAShortText() {
        assertThat(book.rules())
                .allSatisfy(rule ->
                        assertThat(rule.text()).as(rule.id()).isNotEmpty().hasSizeLessThan(600));
    }

    @Test
    void everyRuleNamesItsSource() throws IOException {
        String suite = Files.readString(SUITE);
        String told = files.entrySet().stream()
                .filter(file -> file.getKey().startsWith(NEIGHBOURS))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining());
        for (Rule rule : book.rules()) {
            assertThat(rule.sources().isEmpty() && rule.ownChoice().isEmpty())
                    .as("%s has neither a source nor a reason of ours", rule.id())
                    .isFalse();
            assertThat(rule.vagueSources())
                    .as("sources of %s that are not available to a reader", rule.id())
                    .isEmpty();
            assertThat(rule.suiteCases()).as(rule.id()).allMatch(name -> suite.contains("\n" + name));
            assertThat(rule.neighbourTests())
                    .as(rule.id())
                    .allMatch(name -> told.contains("\"rdma-core:" + name + "\""));
            assertThat(rule.captures()).as(rule.id()).allMatch(RuleBookTest::isCaptured);
        }
    }

    private static boolean isCaptured(String name) {
        return Stream.of(".pcap", ".pcapng").anyMatch(ending -> Files.exists(CAPTURES.resolve(name + ending)));
    }

    @Test
    void everyProfileTermOfARuleIsInTheApi() {
        String api = files.entrySet().stream()
                .filter(file -> ROOT.resolve(file.getKey()).startsWith(PROFILES))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining());
        Pattern word = Pattern.compile("`(\\w+)`");
        for (Rule rule : book.rules()) {
            List<String> words = word.matcher(rule.profile().orElse(""))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            assertThat(words)
                    .as(rule.id())
                    .allMatch(name ->
                            Pattern.compile("\\b" + name + "\\b").matcher(api).find());
        }
    }

    @Test
    void everyCitedRuleIsInTheRuleBook() {
        Set<String> known = book.rules().stream().map(Rule::id).collect(Collectors.toSet());
        assertThat(citations)
                .as("named, and not in the rule book")
                .filteredOn(citation -> !known.contains(citation.rule()))
                .isEmpty();
    }

    @Test
    void everyRuleHasCodeAndATestOrAReasonWhyNot() {
        List<String> wrong = new ArrayList<>();
        for (Rule rule : book.rules()) {
            check(rule, Citation.Kind.CODE, rule.noCode().isPresent(), wrong);
            check(rule, Citation.Kind.TEST, rule.noTest().isPresent(), wrong);
        }
        assertThat(wrong).isEmpty();
    }

    private static void check(Rule rule, Citation.Kind kind, boolean excepted, List<String> wrong) {
        boolean named = citations.stream()
                .anyMatch(citation -> citation.kind() == kind && citation.rule().equals(rule.id()));
        if (named == excepted) {
            wrong.add(rule.id()
                    + (named ? " is named by " : " is not named by any ")
                    + kind
                    + (named ? ", and the rule book says that it is not" : ", and the rule book says no reason"));
        }
    }

    @Test
    void noTextCitesADocumentOutsideTheRepository() {
        assertThat(files.entrySet().stream().flatMap(file -> Citation.astray(file.getKey(), file.getValue()).stream()))
                .isEmpty();
    }

    /** Generates the pages that show where each rule is cited, and where hardware may differ. */
    @AfterAll
    static void makePages() throws IOException {
        Path folder = Files.createDirectories(ROOT.resolve("target/site/rules"));
        Pages pages = new Pages(book.rules(), citations);
        Files.writeString(folder.resolve("matrix.md"), pages.matrix());
        Files.writeString(folder.resolve("own-choices.md"), pages.ownChoices());
    }
}
