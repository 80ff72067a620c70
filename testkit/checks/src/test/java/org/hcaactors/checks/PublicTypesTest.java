// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the Javadoc of every API type states, in fixed phrases, which threads may use it and what its limits are, and for
 * an enumeration or sealed type whether it will grow.
 */
class PublicTypesTest {
    private static final Path API = Path.of("../../api/src/main/java/org/hcaactors/api");
    private static final Path CLIENT = Path.of("../../api/client/src/main/java/org/hcaactors/client");
    private static final Path NETWORK = Path.of("../../hca-actors/src/main/java/org/hcaactors/network");

    private static final String COMMENT = "/\\*\\*(?<comment>(?:(?!\\*/).)*)\\*/\\s+";

    private static final Pattern TYPE = Pattern.compile(
            COMMENT + "(?:@\\w+\\s+)*public (?:static |final |sealed )*(?:class|record|interface) (?<name>\\w+)",
            Pattern.DOTALL);

    private static final Pattern CHOICE =
            Pattern.compile(COMMENT + "(?:public )?(?:enum|sealed interface) (?<name>\\w+)", Pattern.DOTALL);

    /** An immutable type needs no more; any other states its threads and limits. */
    private static final Pattern THREADS =
            Pattern.compile("Immutable|<p>Threads: any.*\\. Limits: .*\\.", Pattern.DOTALL);

    private static final Pattern GROWTH =
            Pattern.compile("a switch over them wants a default\\.|These are all that there are\\.");

    /** Sealed only so that a request names its transports; {@code WorkRequest} states that more requests follow. */
    private static final List<String> SAID_ABOVE = List.of("RcWork", "UcWork", "UdWork");

    private static Stream<String> sources(Path... rooms) {
        return Stream.of(rooms).flatMap(PublicTypesTest::files).map(PublicTypesTest::text);
    }

    private static Stream<Path> files(Path room) {
        try (Stream<Path> all = Files.walk(room)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<MatchResult> commented(Pattern kind, Path... rooms) {
        return sources(rooms)
                .flatMap(source -> kind.matcher(source).results().toList().stream())
                .toList();
    }

    private static String words(MatchResult type) {
        return type.group("comment").replaceAll("\\s*\n\\s*\\* ?", " ");
    }

    @Test
    void everyPublicTypeStatesItsThreadsAndLimits() {
        assertThat(commented(TYPE, API, CLIENT, NETWORK))
                .hasSizeGreaterThan(60)
                .allSatisfy(
                        type -> assertThat(words(type)).as(type.group("name")).containsPattern(THREADS));
    }

    @Test
    void everySealedTypeStatesWhetherItWillGrow() {
        assertThat(commented(CHOICE, API, CLIENT)).hasSizeGreaterThan(8).allSatisfy(choice -> {
            if (!SAID_ABOVE.contains(choice.group("name"))) {
                assertThat(words(choice)).as(choice.group("name")).containsPattern(GROWTH);
            }
        });
    }

    @Test
    void everyPublicTypeHasAComment() {
        assertThat(sources(API, CLIENT, NETWORK)
                        .flatMap(source -> Pattern.compile(
                                        "\n\n(?:@\\w+\\n)*public [a-z ]*(?:class|record|interface|enum) \\w+")
                                .matcher(source)
                                .results())
                        .map(MatchResult::group))
                .isEmpty();
    }
}
