// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.address.Gid;

/**
 * Objects that a process of a mesh creates for one peer, or for all: the peer may be in another JVM.
 *
 * @param name unique in the mesh
 * @param peer name of the end that it connects to; empty if it connects to none
 * @param queuePairs how many it has
 * @param creation creates them; called once
 */
public record MeshEnd(
        String name, Optional<String> peer, int queuePairs, Supplier<? extends CompletionStage<Created>> creation) {
    /** The way to connect an end. */
    @FunctionalInterface
    public interface Connecting {
        CompletionStage<?> to(Gid gid, int number);
    }

    /**
     * An end that was created.
     *
     * @param held the handles that a program would hold
     * @param number of its queue pair
     */
    public record Created(Object held, int number, Connecting connecting) {
        /** Returns an end that connects to none. */
        static Created ready(Object held) {
            return new Created(held, 0, (gid, number) -> {
                throw new IllegalStateException("it has no peer");
            });
        }
    }
}
