// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * An object that its adapter knows by number.
 *
 * @param health of the adapter as it was when the object was made
 * @param whenAdapterFails what its actor is told when the adapter is in error
 */
public record NumberedObject<C>(ActorRef<C> actor, DeviceHealth health, Optional<C> whenAdapterFails) {
    public void adapterFailed() {
        whenAdapterFails.ifPresent(actor::tell);
    }
}
