// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import com.tngtech.archunit.base.HasDescription;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
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

/** The methods and fields that carry a {@link MutationPoint}, by its name. */
final class MutationPoints {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPackages(
                    "org.hcaactors.fabric",
                    "org.hcaactors.adapter",
                    "org.hcaactors.actors",
                    "org.hcaactors.network",
                    "org.hcaactors.views");
    private static final Map<String, Set<JavaMethod>> METHODS =
            marked(CLASSES.stream().map(JavaClass::getMethods).flatMap(Collection::stream));
    private static final Map<String, Set<JavaField>> FIELDS =
            marked(CLASSES.stream().map(JavaClass::getFields).flatMap(Collection::stream));

    private MutationPoints() {}

    private static <T extends JavaMember> Map<String, Set<T>> marked(Stream<T> members) {
        return members.filter(member -> member.isAnnotatedWith(MutationPoint.class))
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

    /** One or more, all of one type; IllegalStateException if there is none. */
    static Set<JavaMethod> methods(String name) {
        return known(METHODS, name, "method");
    }

    /** One, or one in each of several types; IllegalStateException if there is none. */
    static Set<JavaField> fields(String name) {
        return known(FIELDS, name, "field");
    }

    private static <T extends HasDescription> Set<T> known(Map<String, Set<T>> marks, String name, String what) {
        Set<T> found = marks.getOrDefault(name, Set.of());
        if (found.isEmpty()) {
            throw new IllegalStateException("no " + what + " is marked @MutationPoint(\"" + name
                    + "\"): mark the one that does now what its planted bugs change");
        }
        return found;
    }

    /** Those of a public name, which needs no mark. */
    static Set<JavaMethod> named(Class<?> type, String method) {
        return CLASSES.get(type).getMethods().stream()
                .filter(each -> each.getName().equals(method))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** These, and the private methods of their class that they call: a part that was extracted belongs to what it was taken from. */
    static Set<JavaMethod> withExtracted(Set<JavaMethod> methods) {
        Set<JavaMethod> all = new LinkedHashSet<>(methods);
        Deque<JavaMethod> open = new ArrayDeque<>(methods);
        while (!open.isEmpty()) {
            JavaMethod method = open.remove();
            extracted(method).stream().filter(all::add).forEach(open::add);
        }
        return all;
    }

    private static List<JavaMethod> extracted(JavaMethod method) {
        return method.getMethodCallsFromSelf().stream()
                .map(JavaMethodCall::getTarget)
                .flatMap(target -> target.resolveMember().stream())
                .filter(called -> called.getOwner().equals(method.getOwner()))
                .filter(called -> called.getModifiers().contains(JavaModifier.PRIVATE))
                .toList();
    }
}
