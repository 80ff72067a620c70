// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import org.apache.pekko.actor.typed.ActorRef;

/** An object that its adapter knows by number, and how it is told anything. */
public record Resident<C>(ActorRef<C> actor, Blueprint<C, ?> blueprint) {
    public void tell(Alert alert) {
        blueprint.told(alert).ifPresent(actor::tell);
    }
}
