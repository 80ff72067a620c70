// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Parameter;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.lab.fault.Faults;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** Parameters that a test can take from its world. */
final class Parameters {
    private Parameters() {}

    static boolean supports(Parameter parameter) {
        return Stream.of(
                        World.class,
                        RdmaNetwork.class,
                        Faults.class,
                        TraceRecorder.class,
                        Adapter.class,
                        ConnectedPair.class)
                .anyMatch(type -> type == parameter.getType());
    }

    static Object of(Parameter parameter, World world) {
        Class<?> type = parameter.getType();
        if (type == World.class) {
            return world;
        } else if (type == RdmaNetwork.class) {
            return world.network();
        } else if (type == Faults.class) {
            return world.faults();
        } else if (type == TraceRecorder.class) {
            return world.trace();
        } else if (type == Adapter.class) {
            return adapter(parameter, world);
        }
        Between between = parameter.getAnnotation(Between.class);
        return between == null
                ? world.connect(world.adapter("a"), world.adapter("b"))
                : world.connect(world.adapter(between.a()), world.adapter(between.b()));
    }

    private static Adapter adapter(Parameter parameter, World world) {
        Named named = parameter.getAnnotation(Named.class);
        if (named == null) {
            throw new ParameterResolutionException(
                    "parameter " + parameter + " requires the name of its adapter, for example @Named(\"a\")");
        }
        if (named.profile().isEmpty() || world.network().adapter(named.value()).isPresent()) {
            return world.adapter(named.value());
        }
        return world.adapter(named.value(), AnnotatedSettings.profile(named.profile()));
    }
}
