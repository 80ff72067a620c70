// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Progress of a simulation, which runs its adapters on the program's thread: each call runs its next task. Threads: any. */
final class SimulatedProgress implements IntSupplier {
    private final Environment.Awaiter simulation;
    private final AtomicBoolean ran = new AtomicBoolean(true);

    SimulatedProgress(Environment.Awaiter simulation) {
        this.simulation = simulation;
    }

    /** Returns 1, or 0 if there was no task. */
    @Override
    public int getAsInt() {
        ran.setPlain(simulation.progress(!ran.getPlain()));
        return ran.getPlain() ? 1 : 0;
    }
}
