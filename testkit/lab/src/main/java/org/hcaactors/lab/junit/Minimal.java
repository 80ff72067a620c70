package org.hcaactors.lab.junit;

import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.shrink.PastedMethod;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;

/** Makes the run of a failed test small. */
final class Minimal {
    private final Rerun rerun;
    private final Duration rest;
    private final int mostRuns;
    private int runs;

    /**
     * @param rest how long a world may take to come to rest when the test has returned
     * @param mostRuns that are tried; then the best so far is told
     */
    Minimal(Rerun rerun, Duration rest, int mostRuns) {
        this.rerun = rerun;
        this.rest = rest;
        this.mostRuns = mostRuns;
    }

    /** Empty if it does not fail again. */
    Optional<Shrunk> of(long seed, FaultPlan plan) {
        Shrinker shrinker = new Shrinker(
                world -> {
                    rerun.in(world);
                    world.faults().stop();
                    world.runToQuiet(rest);
                },
                () -> ++runs > mostRuns,
                smaller -> System.err.println("shrinking " + smaller.faults() + " faults of " + smaller.faultsBefore()
                        + " after " + smaller.runs() + " runs"));
        return shrinker.shrink(seed, plan);
    }

    /** A method to paste into the test's own class. */
    String source(Shrunk shrunk) {
        StringBuilder declared = new StringBuilder("World shrunk");
        StringBuilder passed = new StringBuilder();
        Parameter[] parameters = rerun.test().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            declared.append(", ")
                    .append(declaration(parameters[i]))
                    .append(" p")
                    .append(i);
            passed.append(i == 0 ? "" : ", ").append('p').append(i);
        }
        String test = rerun.test().getName();
        return PastedMethod.source(shrunk, test + "Shrunk", declared.toString(), "shrunk", test + "(" + passed + ")");
    }

    private static String declaration(Parameter parameter) {
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
        return text.append(parameter.getType().getSimpleName()).toString();
    }
}
