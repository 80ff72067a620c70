// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import java.util.function.Consumer;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/**
 * A program with a bug, and the same without it.
 *
 * @param program whose file shows both
 * @param bug what is wrong, in a few words
 * @param swarm of the test that finds it
 * @param wrong fails by throwing where the bug shows
 * @param right never does
 */
public record Entry(Class<?> program, String bug, Swarm swarm, Consumer<World> wrong, Consumer<World> right) {
    /** One that shows without faults. */
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
