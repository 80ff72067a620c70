// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.stage.Reply;

/**
 * How one object of an adapter is made. Its room brings it, with everything checked that can be checked before; the adapter
 * numbers the object and spawns its actor, and need not know what it is.
 *
 * @param <C> what the object's actor understands
 * @param <H> the object as its maker knows it
 */
public interface Blueprint<C, H> {
    ObjectKind kind();

    /**
     * @param number that the adapter gave it
     * @param reply given by the actor: the object when it can be used, or why it can't be made
     */
    Behavior<C> behavior(int number, Services services, Reply<H> reply);

    /** Number of the shard on which the object's actor runs. */
    default int shard() {
        return 0;
    }

    /** What the object's actor is told when its adapter is in error; empty where that means nothing to it. */
    default Optional<C> whenAdapterFails() {
        return Optional.empty();
    }
}
