// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * A bug in a marked method: advice that is inlined into it, or a call, read or write that is omitted. Advice is Java code with
 * access to what the method can access: if it needs package-private members, it is in a package of that name.
 *
 * <p>Immutable. One patch at a time may change a type: a second one would remove the first.
 */
final class Patch {
    /** An applied patch; closing it removes the patch. */
    interface Planting extends AutoCloseable {
        @Override
        void close();
    }

    private interface Change {
        AsmVisitorWrapper on(ElementMatcher<MethodDescription> methods);
    }

    private final String name;
    private final List<String> points;
    private final Supplier<Set<JavaMethod>> methods;
    private final Change change;

    private Patch(String name, List<String> points, Supplier<Set<JavaMethod>> methods, Change change) {
        this.name = name;
        this.points = points;
        this.methods = methods;
        this.change = change;
    }

    /** Creates a patch with advice in the method with that mark. */
    Patch(String point, Class<?> advice) {
        this(
                point + " with " + advice.getSimpleName(),
                Stream.concat(Stream.of(point), MarkedFields.of(advice)).toList(),
                () -> Set.of(MutationPoints.method(point)),
                advised(advice));
    }

    /** Returns a patch with advice in all methods of these public names. */
    static Patch of(Class<?> type, Set<String> methods, Class<?> advice) {
        return new Patch(
                type.getSimpleName() + methods + " with " + advice.getSimpleName(),
                List.of(),
                () -> MutationPoints.named(type, methods),
                advised(advice));
    }

    private static Change advised(Class<?> advice) {
        return methods ->
                Advice.withCustomMapping().bind(new MarkedFields()).to(advice).on(methods);
    }

    /**
     * Returns a patch in which the method omits a call; the call's result is 0 or false.
     *
     * @param called a mark, or the name of a method of the JDK, of the API or of a record
     */
    static Patch without(String point, String called) {
        return substituted(
                point,
                "without",
                called,
                () -> MemberSubstitution.strict().method(method(called)).stub());
    }

    /** Returns a patch in which the method does not set the marked field. */
    static Patch withoutSetting(String point, String field) {
        return substituted(
                point,
                "without setting",
                field,
                () -> MemberSubstitution.strict().field(field(field)).onWrite().stub());
    }

    /** Returns a patch in which the method reads 0 or false from the marked field. */
    static Patch withoutReading(String point, String field) {
        return substituted(
                point,
                "without reading",
                field,
                () -> MemberSubstitution.strict().field(field(field)).onRead().stub());
    }

    /**
     * Returns a patch in which the method calls another method instead.
     *
     * @param called a mark, or the name of a method of the JDK, of the API or of a record
     * @param other class with one public static method, which takes the receiver of the call and its arguments
     */
    static Patch instead(String point, String called, Class<?> other) {
        List<Method> replacements = Arrays.stream(other.getDeclaredMethods())
                .filter(each -> Modifier.isStatic(each.getModifiers()) && Modifier.isPublic(each.getModifiers()))
                .toList();
        if (replacements.size() != 1) {
            throw new IllegalArgumentException(other + " has not one public static method but " + replacements);
        }
        return substituted(
                point,
                "with " + other.getSimpleName() + " instead of",
                called,
                () -> MemberSubstitution.strict().method(method(called)).replaceWith(replacements.getFirst()));
    }

    private static Patch substituted(String point, String how, String member, Supplier<MemberSubstitution> change) {
        return new Patch(
                point + " " + how + " " + member,
                isMark(member) ? List.of(point, member) : List.of(point),
                () -> MutationPoints.withExtracted(MutationPoints.method(point)),
                methods -> change.get().on(methods));
    }

    private static boolean isMark(String name) {
        return name.contains(".");
    }

    private static ElementMatcher<MethodDescription> method(String called) {
        return isMark(called) ? method(Set.of(MutationPoints.method(called))) : ElementMatchers.named(called);
    }

    private static ElementMatcher<MethodDescription> method(Set<JavaMethod> methods) {
        Set<String> names = names(methods);
        return each -> names.contains(
                name(each.getDeclaringType().asErasure().getName(), each.getName(), each.getDescriptor()));
    }

    private static ElementMatcher<FieldDescription> field(String mark) {
        Set<String> names = names(MutationPoints.fields(mark));
        return each -> names.contains(
                name(each.getDeclaringType().asErasure().getName(), each.getName(), each.getDescriptor()));
    }

    private static Set<String> names(Set<? extends JavaMember> members) {
        return members.stream()
                .map(each -> name(each.getOwner().getName(), each.getName(), each.getDescriptor()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String name(String type, String member, String descriptor) {
        return type + "." + member + descriptor;
    }

    /** Returns the names of all marks that it needs. */
    List<String> points() {
        return points;
    }

    /** Applies the patch; throws IllegalStateException if a mark is missing, or if nothing changes. */
    Planting apply() {
        ByteBuddyAgent.install();
        Set<JavaMethod> patched = methods.get();
        Class<?> target = patched.iterator().next().getOwner().reflect();
        ElementMatcher<MethodDescription> matches = method(patched);
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        DynamicType.Builder<?> watched = new ByteBuddy()
                .redefine(target)
                .visit(Advice.to(PatchErrors.Watch.class).on(matches)); // around the change
        DynamicType.Unloaded<?> changed = watched.visit(change.on(matches)).make();
        if (Arrays.equals(watched.make().getBytes(), changed.getBytes())) {
            throw new IllegalStateException(
                    name + " changes nothing: " + names(patched) + " have no such thing any more; move the mark");
        }
        changed.load(target.getClassLoader(), reload);
        return () -> restore(target, reload);
    }

    private static void restore(Class<?> target, ClassReloadingStrategy reload) {
        try {
            reload.reset(target);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
