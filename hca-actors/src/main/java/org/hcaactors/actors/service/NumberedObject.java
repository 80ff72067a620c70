// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.service.DeviceHealth;

/**
 * Entry of the adapter's table of numbers; equal for similar objects.
 *
 * @param health of the adapter when the object was created
 * @param whenAdapterFails message for its actor when the adapter is in error
 */
public record NumberedObject<C>(ObjectKind kind, DeviceHealth health, Optional<C> whenAdapterFails) {
    /** @param actor of one of the objects */
    public void adapterFailed(ActorRef<Void> actor) {
        whenAdapterFails.ifPresent(message -> actor.<C>unsafeUpcast().tell(message));
    }
}
