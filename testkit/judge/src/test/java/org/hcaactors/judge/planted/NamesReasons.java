// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantBrokenException;

/** Whether what found a bug looks at reasons, as its class file says: an invariant, with what it has of its own room. */
final class NamesReasons {
    private static final Path ROOM = room();
    private static final Pattern OF_THE_ROOM =
            Pattern.compile(Pattern.quote(Invariant.class.getPackageName().replace('.', '/')) + "/([\\w$]+)");
    private static final Pattern REASON = Pattern.compile(Arrays.stream(Reason.class.getPermittedSubclasses())
            .map(kind -> Pattern.quote(kind.getName().replace('.', '/')))
            .collect(Collectors.joining("|", "(", ")\\b")));

    private NamesReasons() {}

    private static Path room() {
        try {
            URI file = Objects.requireNonNull(Invariant.class.getResource("Invariant.class"))
                    .toURI();
            return Objects.requireNonNull(Path.of(file).getParent());
        } catch (URISyntaxException nowhere) {
            throw new IllegalStateException(nowhere);
        }
    }

    static boolean finderOf(Hunt.Find find) {
        return find.why() instanceof InvariantBrokenException broken
                && namesReasons(broken.violation().invariant());
    }

    private static boolean namesReasons(String invariant) {
        Set<String> known = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(typesThatSay(invariant));
        while (!open.isEmpty()) {
            String type = open.remove();
            if (!known.add(type)) {
                continue;
            }
            String constants = constants(ROOM.resolve(type + ".class"));
            if (REASON.matcher(constants).find()) {
                return true;
            }
            OF_THE_ROOM.matcher(constants).results().forEach(other -> open.add(other.group(1)));
        }
        return false;
    }

    private static List<String> typesThatSay(String invariant) {
        try (Stream<Path> files = Files.list(ROOM)) {
            List<String> types = files.filter(file -> constants(file).contains(invariant))
                    .map(file -> file.getFileName().toString().replace(".class", ""))
                    .toList();
            assertThat(types).as("who is called " + invariant).isNotEmpty();
            return types;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Names and texts stand in a class file as they are. */
    private static String constants(Path type) {
        try {
            return Files.exists(type) ? Files.readString(type, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
