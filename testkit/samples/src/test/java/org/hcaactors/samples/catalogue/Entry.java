// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import java.util.function.Consumer;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/**
 * A program with a bug, and its correct twin.
 *
 * @param program class whose file contains both
 * @param bug the bug in a few words
 * @param swarm swarm of the test that finds it
 * @param wrong the program with the bug, which fails by throwing
 * @param right the correct program, which never fails
 */
public record Entry(Class<?> program, String bug, Swarm swarm, Consumer<World> wrong, Consumer<World> right) {
    /** Returns an entry for a bug that shows without faults. */
    public static Entry of(Class<?> program, String bug, Consumer<World> wrong, Consumer<World> right) {
        return new Entry(program, bug, Swarm.OFF, wrong, right);
    }

    public Entry in(Swarm faults) {
        return new Entry(program, bug, faults, wrong, right);
    }

    @Override
    public String toString() {
        return program.getSimpleName();
    }
}
