// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.CompletableFutureAssert;
import org.assertj.core.api.ListAssert;
import org.hcaactors.checks.docs.CitedNames.Cited;
import org.hcaactors.checks.tidy.SourceFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The types and methods that a page or a scenario cites in backticks exist. */
class NamesOnPagesTest {
    private static final Path ROOT = Path.of("../..");

    /** Packages of other projects whose types the pages cite by simple names. */
    private static final List<String> PACKAGES = List.of(
            "java.lang",
            "java.util",
            "java.util.concurrent",
            "java.util.function",
            "java.nio",
            "java.net",
            "java.time",
            "org.apache.pekko.stream.javadsl",
            "org.junit.jupiter.api",
            "org.opentest4j");

    /** Types of other projects with methods that a page cites without their type. */
    private static final List<Class<?>> FOREIGN =
            List.of(Duration.class, CompletableFuture.class, ListAssert.class, CompletableFutureAssert.class);

    /** Names that no source declares and no class path of this module has. */
    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            entry("CoroutineName", "of kotlinx.coroutines"),
            entry("Dispatchers.Default", "of kotlinx.coroutines"),
            entry("Dispatchers.IO", "of kotlinx.coroutines"),
            entry("TimeoutCancellationException", "of kotlinx.coroutines"),
            entry("MeterRegistry", "of Micrometer"),
            entry("Tags.of", "of Micrometer"),
            entry("Schedulers.fromExecutorService", "of Reactor"),
            entry("Mono.fromCompletionStage", "of Reactor"),
            entry("Schedulers.from", "of RxJava"),
            entry("TestProbe", "of Pekko's testkit"),
            entry("*.argLine", "of Maven's Surefire"),
            entry("*.dependencyManagement", "of Maven's POM"),
            entry("Esc", "a key"),
            entry("True", "a value of mlxconfig"),
            entry("False", "a value of mlxconfig"),
            entry("YourInvariant.class", "the reader's"),
            entry("SomeException.class", "the reader's"),
            entry("CompletionQueue.query", "the example of a recipe"),
            entry("Registration.shownAt", "the example of a recipe"),
            entry("Verb.X", "a placeholder of a recipe"),
            entry("Actor.X", "a placeholder of a recipe"),
            entry("Unsafe", "sun.misc.Unsafe of the JDK"),
            entry("Srd", "the example of a recipe"),
            entry("SrdSender", "the example of a recipe"),
            entry("SrdRequest", "the example of a recipe"),
            entry("SrdReceiver", "the example of a recipe"),
            entry("SrdPeers", "the example of a recipe"));

    private static DeclaredNames declared;
    private static List<MarkdownPage> pages;

    @BeforeAll
    static void read() throws IOException {
        declared = DeclaredNames.of(SourceFile.below(ROOT));
        try (Stream<Path> scenarios = Files.list(ROOT.resolve("docs/guide/scenarios"))) {
            pages = Stream.concat(
                            MarkdownPage.all().stream(), scenarios.sorted().map(MarkdownPage::read))
                    .toList();
        }
    }

    @Test
    void everyCitedNameIsDeclared() {
        assertThat(pages).hasSizeGreaterThan(80);
        assertThat(pages)
                .flatExtracting(page -> unknown(page).stream()
                        .filter(name -> !EXCEPTIONS.containsKey(name))
                        .map(name -> page.file() + ": " + name)
                        .toList())
                .as("names that were renamed, moved or removed")
                .isEmpty();
    }

    @Test
    void everyExceptionIsNeeded() {
        assertThat(pages).flatExtracting(NamesOnPagesTest::unknown).containsAll(EXCEPTIONS.keySet());
    }

    @Test
    void wrongNamesAreFound(@TempDir Path folder) throws IOException {
        MarkdownPage page = MarkdownPage.read(Files.writeString(folder.resolve("page.md"), """
                `@RdmaTests1`, `RcQueuePairs`, `lab/pair/Transport.isSolid`, `RcPair.connected(a, b)`, `loseWakeups(b)` and
                `mvn test -Dtest='Rcs*Test' -Dx=y`: none is there, nor is
                `sendsNext` or `Executor.runs(work)`.

                ```
                `InABlock` is no citation
                ```
                """));
        assertThat(unknown(page))
                .containsExactly(
                        "RdmaTests1",
                        "RcQueuePairs",
                        "Transport.isSolid",
                        "RcPair.connected",
                        "loseWakeups()",
                        "Rcs*Test",
                        "*.sendsNext",
                        "Executor.runs");
    }

    @Test
    void namesOfOtherLanguagesAndProjectsAreIgnored(@TempDir Path folder) throws IOException {
        MarkdownPage page = MarkdownPage.read(Files.writeString(folder.resolve("page.md"), """
                `ibv_post_send(qp)`, `IBV_WC_SUCCESS`, `Linux rxe_resp.c check_psn`, `IBA 9.7.5`, `ConnectX-5`, `Flow.Publisher`,
                `CompletableFuture.orTimeout`, `Source.tick`, `faults.on("Nothing.here()")`
                """));
        assertThat(unknown(page)).isEmpty();
    }

    private static List<String> unknown(MarkdownPage page) {
        return CitedNames.of(page).stream()
                .filter(cited -> !isKnown(cited))
                .map(Cited::toString)
                .toList();
    }

    private static boolean isKnown(Cited cited) {
        String type = cited.type();
        String member = cited.member();
        if (type.isEmpty() || type.equals(CitedNames.ANY)) {
            return (type.isEmpty() ? declared.hasMethod(member) : declared.hasMember(member))
                    || FOREIGN.stream().anyMatch(each -> members(each).contains(member));
        }
        if (type.contains("*")) {
            return declared.hasTypeLike(Pattern.compile(type.replace("*", "\\w*")));
        }
        if (!declared.hasType(type) && foreign(type).findAny().isEmpty()) {
            return false;
        }
        return member.isEmpty()
                || declared.hasMember(type, member)
                || declared.withSupertypes(type).stream()
                        .flatMap(NamesOnPagesTest::foreign)
                        .anyMatch(each -> members(each).contains(member));
    }

    private static Stream<Class<?>> foreign(String type) {
        return PACKAGES.stream().flatMap(name -> {
            try {
                return Stream.of(Class.forName(name + "." + type, false, NamesOnPagesTest.class.getClassLoader()));
            } catch (ClassNotFoundException | NoClassDefFoundError absent) {
                return Stream.empty();
            }
        });
    }

    private static Set<String> members(Class<?> type) {
        return Stream.of(
                        Arrays.stream(type.getMethods()).map(Method::getName),
                        Arrays.stream(type.getFields()).map(Field::getName),
                        Arrays.stream(type.getClasses()).map(Class::getSimpleName))
                .flatMap(names -> names)
                .collect(toSet());
    }
}
