// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.interleavings;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Concurrent calls from several threads, run in many interleavings: few enough for each build, and {@code -Dinterleavings=20}
 * times as many for a long search. The test class itself, called by one thread, is the model of the results, and its validation
 * holds at the end.
 */
public final class Interleavings {
    private static final int TIMES = Integer.getInteger("interleavings", 1);
    private static final int ORDERS = 100;
    private static final int RUNS = 1500;

    private static final Set<String> COLLECTIONS = Set.of(
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet");

    /** Formats a message once: formatting loads many classes on first use, which are not part of the search. */
    private static final String WORDS = "0x%x, %d".formatted(1L, 1L);

    private final Class<?> test;
    private final List<Actor> before = new ArrayList<>();
    private final List<List<Actor>> threads = new ArrayList<>();
    private final List<Actor> after = new ArrayList<>();

    private Interleavings(Class<?> test) {
        this.test = test;
    }

    public static Interleavings of(Class<?> test) {
        Objects.requireNonNull(WORDS);
        return new Interleavings(test);
    }

    /** Adds calls before the threads start. */
    public Interleavings before(String... calls) {
        before.addAll(parsed(calls));
        return this;
    }

    /** Adds a thread with its calls: the name of an operation, followed by a blank and its argument. */
    public Interleavings thread(String... calls) {
        threads.add(parsed(calls));
        return this;
    }

    /** Adds calls after all threads have ended. */
    public Interleavings after(String... calls) {
        after.addAll(parsed(calls));
        return this;
    }

    /** Model checking: one thread at a time, switched at shared accesses; finds what any order of steps can cause. */
    public void inAnyOrder() {
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(ORDERS * TIMES)
                .minimizeFailedScenario(false)
                .addGuarantee(
                        forClasses(Interleavings::isCollection).allMethods().treatAsAtomic())
                .addCustomScenario(scenario())
                .check(test);
    }

    /**
     * True for collections whose calls are switch points while their inside is not analysed: none of them calls back into code
     * that takes a lock.
     */
    private static boolean isCollection(String name) {
        return COLLECTIONS.contains(name);
    }

    /** Stress test on real threads: can also find reordering by the processor and the compiler, if it happens to occur. */
    public void atOnce() {
        new StressOptions()
                .iterations(0)
                .invocationsPerIteration(RUNS * TIMES)
                .minimizeFailedScenario(false)
                .addCustomScenario(scenario())
                .check(test);
    }

    private ExecutionScenario scenario() {
        Actor validation = Arrays.stream(test.getMethods())
                .filter(method -> method.isAnnotationPresent(Validate.class))
                .map(method -> new Actor(method, List.of()))
                .findFirst()
                .orElse(null);
        return new ExecutionScenario(before, threads, after, validation);
    }

    private List<Actor> parsed(String... calls) {
        return Arrays.stream(calls).map(this::parsed).toList();
    }

    private Actor parsed(String call) {
        String[] words = call.split(" ", 2);
        Method method = Arrays.stream(test.getMethods())
                .filter(each -> each.getName().equals(words[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation " + words[0] + " in " + test));
        return new Actor(method, words.length == 1 ? List.of() : List.of(argument(method, words[1])));
    }

    private static Object argument(Method method, String word) {
        return method.getParameterTypes()[0] == boolean.class ? Boolean.valueOf(word) : Integer.valueOf(word);
    }
}
