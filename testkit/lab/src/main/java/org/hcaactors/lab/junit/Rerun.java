// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.seeds.Rerunnable;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.PastedMethod;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Reruns a failed test in another world: on a fresh instance, after its {@code @BeforeEach} methods. */
final class Rerun implements Rerunnable {
    private final Constructor<?> constructor;
    private final List<Method> before;
    private final Method test;

    private Rerun(Constructor<?> constructor, List<Method> before, Method test) {
        this.constructor = constructor;
        this.before = before;
        this.test = test;
    }

    /** Returns the rerun; empty if the test needs more than a world: an outer instance, or parameters of other extensions. */
    static Optional<Rerun> of(Class<?> type, Method test) {
        boolean inner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        Optional<Constructor<?>> plain = Arrays.stream(type.getDeclaredConstructors())
                .filter(constructor -> constructor.getParameterCount() == 0)
                .findFirst();
        List<Method> before =
                AnnotationSupport.findAnnotatedMethods(type, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
        boolean supported = supported(test) && before.stream().allMatch(Rerun::supported);
        return inner || !supported ? Optional.empty() : plain.map(constructor -> new Rerun(constructor, before, test));
    }

    private static boolean supported(Method method) {
        return Arrays.stream(method.getParameters()).allMatch(Parameters::supports);
    }

    @Override
    public Language language() {
        return Language.of(test.getDeclaringClass());
    }

    /** Prepares the test as JUnit does. The returned action runs it and throws what the test throws. */
    @Override
    public Runnable prepare(World world) {
        Object instance = ReflectionSupport.newInstance(constructor.getDeclaringClass());
        before.forEach(method -> ReflectionSupport.invokeMethod(method, instance, arguments(method, world)));
        Object[] arguments = arguments(test, world);
        return () -> ReflectionSupport.invokeMethod(test, instance, arguments);
    }

    private static Object[] arguments(Method method, World world) {
        return Arrays.stream(method.getParameters())
                .map(parameter -> Parameters.of(parameter, world))
                .toArray();
    }

    /** Returns a method to paste into the test's class. */
    @Override
    public String source(Shrunk shrunk) {
        List<PastedMethod.Declared> declared = new ArrayList<>();
        declared.add(new PastedMethod.Declared("", "World", "shrunk"));
        List<String> passed = new ArrayList<>();
        Parameter[] parameters = test.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String type = parameters[i].getType().getSimpleName();
            declared.add(new PastedMethod.Declared(annotations(parameters[i]), type, "p" + i));
            passed.add("p" + i);
        }
        String name = test.getName() + (test.getName().indexOf(' ') >= 0 ? " shrunk" : "Shrunk");
        List<String> settings = AnnotationSupport.findAnnotation(test, RdmaTest.class)
                .map(annotation -> AnnotatedSettings.words(annotation, language()))
                .orElse(List.of());
        return PastedMethod.source(shrunk, language(), settings, name, declared, "shrunk", test.getName(), passed);
    }

    private String annotations(Parameter parameter) {
        StringBuilder text = new StringBuilder();
        Named named = parameter.getAnnotation(Named.class);
        if (named != null) {
            text.append("@Named(value = ").append(language().quoted(named.value()));
            if (!named.profile().isEmpty()) {
                text.append(", profile = ").append(language().quoted(named.profile()));
            }
            text.append(") ");
        }
        Between between = parameter.getAnnotation(Between.class);
        if (between != null) {
            text.append("@Between(a = ")
                    .append(language().quoted(between.a()))
                    .append(", b = ")
                    .append(language().quoted(between.b()))
                    .append(") ");
        }
        return text.toString();
    }
}
