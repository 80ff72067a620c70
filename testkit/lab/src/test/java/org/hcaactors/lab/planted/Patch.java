package org.hcaactors.lab.planted;

import java.util.regex.Pattern;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * One method, and what it does wrong. Advice is copied into the method, so it says that in Java, and sees what the method
 * sees: where it needs what is private to a room, it stands in a package of the room's name.
 *
 * @param type that is patched, without {@code org.hcaactors.}, and without {@code adapter.} where it is of an adapter
 * @param method of that type; all that have the name
 * @param advice copied into the method
 */
public record Patch(String type, String method, Class<?> advice) {
    private static final Pattern OUTSIDE = Pattern.compile("(fabric|network)\\.");

    /** Patches the method; closing the result takes the patch off again. */
    public AutoCloseable apply() throws ReflectiveOperationException {
        ByteBuddyAgent.install();
        Class<?> target = Class.forName("org.hcaactors." + (OUTSIDE.matcher(type).lookingAt() ? "" : "adapter.") + type);
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        new ByteBuddy()
                .redefine(target)
                .visit(Advice.to(advice).on(ElementMatchers.named(method)))
                .make()
                .load(target.getClassLoader(), reload);
        return () -> reload.reset(target);
    }
}
