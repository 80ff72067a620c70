// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The registries to which a binder has bound its meters. Any thread. */
final class Registrations {
    private record Bound(MeterRegistry registry, List<Meter> meters) {}

    private final List<Bound> bound = new ArrayList<>();

    /** Registers meters; no effect if that has been done for this registry. */
    synchronized void bind(MeterRegistry registry, Supplier<List<Meter>> meters) {
        if (bound.stream().noneMatch(each -> each.registry == registry)) {
            bound.add(new Bound(registry, meters.get()));
        }
    }

    /** Removes the meters. */
    synchronized void remove() {
        for (Bound each : bound) {
            each.meters.forEach(each.registry::remove);
        }
        bound.clear();
    }
}
