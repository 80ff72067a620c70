// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.regex.Pattern;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * One method, and what it does wrong: advice that is copied into it, or something that it calls, reads or sets and now does
 * not. Advice says in Java what is wrong, and sees what the method sees: where it needs what is private to a room, it stands
 * in a package of the room's name.
 *
 * @param type that is patched, without {@code org.hcaactors.}, and without {@code adapter.} or {@code actors.} where it is of an adapter
 * @param method of that type; all that have the name
 * @param change to the method
 */
public record Patch(String type, String method, AsmVisitorWrapper change) {
    private static final Pattern OUTSIDE = Pattern.compile("(fabric|network|views)\\.");

    public Patch(String type, String method, Class<?> advice) {
        this(type, method, Advice.to(advice).on(ElementMatchers.named(method)));
    }

    /** What the method calls under that name is not called; where it has an answer, that is 0, false or null. */
    static Patch without(String type, String method, String called) {
        return new Patch(
                type,
                method,
                MemberSubstitution.strict()
                        .method(ElementMatchers.named(called))
                        .stub()
                        .on(ElementMatchers.named(method)));
    }

    /** The method does not set that field. */
    static Patch withoutSetting(String type, String method, String field) {
        return new Patch(
                type,
                method,
                MemberSubstitution.strict()
                        .field(ElementMatchers.named(field))
                        .onWrite()
                        .stub()
                        .on(ElementMatchers.named(method)));
    }

    /** The method takes that field for 0, false or null. */
    static Patch withoutReading(String type, String method, String field) {
        return new Patch(
                type,
                method,
                MemberSubstitution.strict()
                        .field(ElementMatchers.named(field))
                        .onRead()
                        .stub()
                        .on(ElementMatchers.named(method)));
    }

    /**
     * What the method calls under that name is another.
     *
     * @param other has one static method, which takes what was called upon and the arguments
     */
    static Patch instead(String type, String method, String called, Class<?> other) {
        Method replacement = Arrays.stream(other.getDeclaredMethods())
                .filter(each -> !each.isSynthetic())
                .findFirst()
                .orElseThrow();
        return new Patch(
                type,
                method,
                MemberSubstitution.strict()
                        .method(ElementMatchers.named(called))
                        .replaceWith(replacement)
                        .on(ElementMatchers.named(method)));
    }

    /** The class of that name, which is given as {@link #type} is. */
    public static Class<?> type(String name) throws ClassNotFoundException {
        if (OUTSIDE.matcher(name).lookingAt()) {
            return Class.forName("org.hcaactors." + name);
        }
        try {
            return Class.forName("org.hcaactors.adapter." + name);
        } catch (ClassNotFoundException noMachine) {
            return Class.forName("org.hcaactors.actors." + name);
        }
    }

    /** Patches the method; closing the result takes the patch off again. */
    public AutoCloseable apply() throws ReflectiveOperationException {
        ByteBuddyAgent.install();
        Class<?> target = type(type);
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        DynamicType.Builder<?> watched = new ByteBuddy()
                .redefine(target)
                .visit(Advice.to(Slips.Watch.class).on(ElementMatchers.named(method))); // around the change
        DynamicType.Unloaded<?> patched = watched.visit(change).make();
        if (Arrays.equals(watched.make().getBytes(), patched.getBytes())) {
            throw new IllegalStateException(this + " changes nothing: " + target + " has no such thing any more");
        }
        patched.load(target.getClassLoader(), reload);
        return () -> reload.reset(target);
    }

    @Override
    public String toString() {
        return type + "." + method;
    }
}
