// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.stage.Reply;

/**
 * Blueprint of an object of an adapter. The object's package creates the blueprint after all checks that are possible before
 * the object exists; the adapter assigns a number and spawns the actor in the same way for every kind of object.
 *
 * @param <C> commands of the object's actor
 * @param <H> handle of the object
 */
public interface Blueprint<C, H> {
    ObjectKind kind();

    /**
     * @param number assigned by the adapter
     * @param reply completed by the actor: the handle when the object can be used, or the reason why it cannot be created
     */
    Behavior<C> behavior(int number, Services services, Reply<H> reply);

    /** Returns the number of the shard on which the object's actor runs. */
    default int shard() {
        return 0;
    }

    /** Returns the message for the object's actor when the adapter is in error; empty if the object is not affected. */
    default Optional<C> whenAdapterFails() {
        return Optional.empty();
    }
}
