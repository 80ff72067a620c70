// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.PastedMethod;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/** Makes the run of a failed test small. */
final class Minimal {
    private final Rerun rerun;
    private final Watch watch;
    private final Duration rest;
    private final int mostRuns;
    private int runs;
    private int told = -1;

    /**
     * @param watch who looked when it failed
     * @param rest how long a world may take to come to rest when the test has returned
     * @param mostRuns that are tried; then the best so far is told
     */
    Minimal(Rerun rerun, Watch watch, Duration rest, int mostRuns) {
        this.rerun = rerun;
        this.watch = watch;
        this.rest = rest;
        this.mostRuns = mostRuns;
    }

    /** Empty if it does not fail again. */
    Optional<Shrunk> of(long seed, Pace pace, FaultPlan plan) {
        return shrinker().shrink(seed, pace, plan);
    }

    /** What a look at its world shows when it has failed once more; empty if it does not. */
    <T> Optional<T> again(Shrunk shrunk, Function<World, T> look) {
        return shrinker().again(shrunk, look);
    }

    private Shrinker shrinker() {
        return Shrinker.prepared(
                        world -> {
                            Runnable test = rerun.prepare(world);
                            return () -> {
                                test.run();
                                world.faults().stop();
                                world.runToQuiet(rest);
                            };
                        },
                        () -> ++runs > mostRuns,
                        this::tell)
                .in((seed, pace) -> WorldOptions.ofProgram(seed, pace).with(watch));
    }

    private void tell(Shrunk smaller) {
        if (smaller.faults() != told) {
            told = smaller.faults();
            System.err.println("shrinking: " + told + " of " + smaller.faultsBefore() + " faults left after "
                    + smaller.runs() + " runs");
        }
    }

    Language language() {
        return Language.of(rerun.test().getDeclaringClass());
    }

    /** A method to paste into the test's own class; IllegalArgumentException if it arms faults with code of the user's. */
    String source(Shrunk shrunk) {
        List<PastedMethod.Declared> declared = new ArrayList<>();
        declared.add(new PastedMethod.Declared("", "World", "shrunk"));
        List<String> passed = new ArrayList<>();
        Parameter[] parameters = rerun.test().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String type = parameters[i].getType().getSimpleName();
            declared.add(new PastedMethod.Declared(annotations(parameters[i]), type, "p" + i));
            passed.add("p" + i);
        }
        String test = rerun.test().getName();
        String name = test + (test.indexOf(' ') >= 0 ? " shrunk" : "Shrunk");
        List<String> settings = watch == Watch.PROGRAM ? List.of() : List.of("watch = Watch." + watch);
        return PastedMethod.source(shrunk, language(), settings, name, declared, "shrunk", test, passed);
    }

    private static String annotations(Parameter parameter) {
        StringBuilder text = new StringBuilder();
        Named named = parameter.getAnnotation(Named.class);
        if (named != null) {
            text.append("@Named(value = \"").append(named.value());
            text.append("\", profile = \"").append(named.profile()).append("\") ");
        }
        Between between = parameter.getAnnotation(Between.class);
        if (between != null) {
            text.append("@Between(a = \"")
                    .append(between.a())
                    .append("\", b = \"")
                    .append(between.b())
                    .append("\") ");
        }
        return text.toString();
    }
}
