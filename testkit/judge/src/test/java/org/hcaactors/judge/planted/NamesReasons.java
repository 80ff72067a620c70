// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.judge.invariant.ProtocolInvariants;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantBrokenException;

/**
 * Detects whether the check that found a bug refers to reasons, by the class file of the invariant and of the invariant
 * packages' types that it uses.
 */
final class NamesReasons {
    private static final Pattern OF_THE_ROOMS = Pattern.compile("(org/hcaactors/(?:lab|judge)/invariant/[\\w$]+)");
    private static final Pattern REASON = Pattern.compile(Arrays.stream(Reason.class.getPermittedSubclasses())
            .map(kind -> Pattern.quote(kind.getName().replace('.', '/')))
            .collect(Collectors.joining("|", "(", ")\\b")));

    /** Contents of the class files of these packages, by type name. */
    private static final Map<String, String> CONSTANTS = new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(Invariant.class.getPackageName(), ProtocolInvariants.class.getPackageName())
                    .stream()
                    .collect(Collectors.toMap(type -> type.getName().replace('.', '/'), NamesReasons::constants));

    private NamesReasons() {}

    static boolean finderOf(Hunt.Find find) {
        return find.reason() instanceof InvariantBrokenException broken
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
            String constants = CONSTANTS.getOrDefault(type, "");
            if (REASON.matcher(constants).find()) {
                return true;
            }
            OF_THE_ROOMS.matcher(constants).results().forEach(other -> open.add(other.group(1)));
        }
        return false;
    }

    private static List<String> typesThatSay(String invariant) {
        List<String> types = CONSTANTS.entrySet().stream()
                .filter(type -> type.getValue().contains(invariant))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(types).as("who is called " + invariant).isNotEmpty();
        return types;
    }

    /** Returns the contents; names and texts are unencoded in a class file. */
    private static String constants(JavaClass type) {
        try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            return new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
