// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.mutation.MutationPoint;

/** Methods and fields with a {@link MutationPoint}, by its name. */
final class MutationPoints {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.hcaactors");
    private static final Map<String, Set<JavaMethod>> METHODS =
            marked(CLASSES.stream().map(JavaClass::getMethods).flatMap(Collection::stream));
    private static final Map<String, Set<JavaField>> FIELDS =
            marked(CLASSES.stream().map(JavaClass::getFields).flatMap(Collection::stream));

    private MutationPoints() {}

    private static <T extends JavaMember> Map<String, Set<T>> marked(Stream<T> members) {
        return members.filter(member -> member.isAnnotatedWith(MutationPoint.class))
                // A bridge method has the annotations of its target.
                .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC))
                .collect(Collectors.groupingBy(
                        member -> member.getAnnotationOfType(MutationPoint.class.getName())
                                .get("value")
                                .orElseThrow()
                                .toString(),
                        Collectors.toUnmodifiableSet()));
    }

    static Set<String> names() {
        return Stream.of(METHODS, FIELDS)
                .map(Map::keySet)
                .flatMap(Set::stream)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the method; throws IllegalStateException unless there is exactly one. */
    static JavaMethod method(String name) {
        Set<JavaMethod> methods = known(METHODS, name, "method");
        if (methods.size() > 1) {
            throw new IllegalStateException("@MutationPoint(\"" + name + "\") stands at several methods: " + methods);
        }
        return methods.iterator().next();
    }

    /** Returns the fields, one in each of one or several types; throws IllegalStateException if there is none. */
    static Set<JavaField> fields(String name) {
        return known(FIELDS, name, "field");
    }

    private static <T> Set<T> known(Map<String, Set<T>> marks, String name, String what) {
        Set<T> found = marks.getOrDefault(name, Set.of());
        if (found.isEmpty()) {
            throw new IllegalStateException("no " + what + " has @MutationPoint(\"" + name + "\"): mark the " + what
                    + " that is in the place of the one before, or delete its bugs");
        }
        return found;
    }

    /**
     * Returns the methods of a type with these public names, which need no mark; throws IllegalStateException if there is none.
     */
    static Set<JavaMethod> named(Class<?> type, Set<String> names) {
        Set<JavaMethod> methods = CLASSES.get(type).getMethods().stream()
                .filter(each -> names.contains(each.getName()))
                .collect(Collectors.toUnmodifiableSet());
        if (methods.isEmpty()) {
            throw new IllegalStateException(type + " has none of the methods " + names);
        }
        return methods;
    }

    /** Returns the method, and the private methods that are called only from these: the code that was extracted from it. */
    static Set<JavaMethod> withExtracted(JavaMethod method) {
        Set<JavaMethod> all = new LinkedHashSet<>(Set.of(method));
        Deque<JavaMethod> open = new ArrayDeque<>(all);
        while (!open.isEmpty()) {
            extracted(open.remove(), all).stream().filter(all::add).forEach(open::add);
        }
        return all;
    }

    private static List<JavaMethod> extracted(JavaMethod method, Set<JavaMethod> known) {
        return method.getMethodCallsFromSelf().stream()
                .map(JavaMethodCall::getTarget)
                .flatMap(target -> target.resolveMember().stream())
                .filter(called -> called.getModifiers().contains(JavaModifier.PRIVATE))
                .filter(called -> called.getCallsOfSelf().stream()
                        .map(JavaMethodCall::getOrigin)
                        .allMatch(known::contains))
                .toList();
    }
}
