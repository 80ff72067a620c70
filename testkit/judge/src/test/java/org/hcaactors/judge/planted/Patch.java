// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.lang.reflect.Method;
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
 * What a marked method does wrong: advice that is copied into it, or something that it calls, reads or sets and now does not.
 * Advice says in Java what is wrong, and sees what the method sees: where it needs what is private to a package, it stands in a
 * package of that name.
 *
 * @param name of the method, for people
 * @param points the names of all marks that it needs
 * @param methods that are patched, found when it is applied
 * @param change to them
 */
public record Patch(String name, List<String> points, Supplier<Set<JavaMethod>> methods, Change change) {
    /** What becomes of the methods that match. */
    @FunctionalInterface
    interface Change {
        AsmVisitorWrapper on(ElementMatcher<MethodDescription> methods);
    }

    /** That advice in the methods that carry that mark. */
    public Patch(String point, Class<?> advice) {
        this(
                point,
                Stream.concat(Stream.of(point), MarkedFields.of(advice)).toList(),
                () -> MutationPoints.methods(point),
                advised(advice));
    }

    /** That advice in all methods of a public name. */
    static Patch of(Class<?> type, String method, Class<?> advice) {
        return new Patch(
                type.getSimpleName() + "." + method,
                List.of(),
                () -> MutationPoints.named(type, method),
                advised(advice));
    }

    private static Change advised(Class<?> advice) {
        return methods ->
                Advice.withCustomMapping().bind(new MarkedFields()).to(advice).on(methods);
    }

    /**
     * What the method calls under that mark is not called; where it has an answer, that is 0, false or null.
     *
     * @param called a mark, or the name of a method of the JDK or the API
     */
    static Patch without(String point, String called) {
        return substituted(
                point,
                called,
                () -> MemberSubstitution.strict().method(method(called)).stub());
    }

    /** The method does not set the field of that mark. */
    static Patch withoutSetting(String point, String field) {
        return substituted(
                point,
                field,
                () -> MemberSubstitution.strict().field(field(field)).onWrite().stub());
    }

    /** The method takes the field of that mark for 0, false or null. */
    static Patch withoutReading(String point, String field) {
        return substituted(
                point,
                field,
                () -> MemberSubstitution.strict().field(field(field)).onRead().stub());
    }

    /**
     * What the method calls under that mark is another.
     *
     * @param called a mark, or the name of a method of the JDK or the API
     * @param other has one static method, which takes what was called upon and the arguments
     */
    static Patch instead(String point, String called, Class<?> other) {
        Method replacement = Arrays.stream(other.getDeclaredMethods())
                .filter(each -> !each.isSynthetic())
                .findFirst()
                .orElseThrow();
        return substituted(
                point,
                called,
                () -> MemberSubstitution.strict().method(method(called)).replaceWith(replacement));
    }

    private static Patch substituted(String point, String member, Supplier<MemberSubstitution> change) {
        return new Patch(
                point,
                isMark(member) ? List.of(point, member) : List.of(point),
                () -> MutationPoints.withExtracted(MutationPoints.methods(point)),
                methods -> change.get().on(methods));
    }

    private static boolean isMark(String name) {
        return name.contains(".");
    }

    private static ElementMatcher<MethodDescription> method(String called) {
        return isMark(called) ? method(MutationPoints.methods(called)) : ElementMatchers.named(called);
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

    /** Patches the methods; closing the result takes the patch off again. */
    public AutoCloseable apply() throws ReflectiveOperationException {
        ByteBuddyAgent.install();
        Set<JavaMethod> marked = methods.get();
        Class<?> target = Class.forName(marked.iterator().next().getOwner().getName());
        ElementMatcher<MethodDescription> matches = method(marked);
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        DynamicType.Builder<?> watched = new ByteBuddy()
                .redefine(target)
                .visit(Advice.to(Slips.Watch.class).on(matches)); // around the change
        DynamicType.Unloaded<?> patched = watched.visit(change.on(matches)).make();
        if (Arrays.equals(watched.make().getBytes(), patched.getBytes())) {
            throw new IllegalStateException(
                    "what carries " + points.getFirst() + " does nothing any more with what carries "
                            + points.subList(1, points.size()) + ": " + names(marked));
        }
        patched.load(target.getClassLoader(), reload);
        return () -> reload.reset(target);
    }

    @Override
    public String toString() {
        return name;
    }
}
