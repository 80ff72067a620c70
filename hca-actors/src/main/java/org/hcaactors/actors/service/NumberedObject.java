// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.service.DeviceHealth;

/**
 * What an adapter knows of an object by its number; the same of all objects alike.
 *
 * @param health of the adapter as it was when the object was made
 * @param whenAdapterFails what its actor is told when the adapter is in error
 */
public record NumberedObject<C>(ObjectKind kind, DeviceHealth health, Optional<C> whenAdapterFails) {
    /** @param actor of one of them */
    public void adapterFailed(ActorRef<Void> actor) {
        whenAdapterFails.ifPresent(message -> actor.<C>unsafeUpcast().tell(message));
    }
}
