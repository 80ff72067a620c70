// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.api.address.Gid;

/** Messages between nodes. Each may get lost; its sender asks again. */
sealed interface PlacementMessage {
    /** Asks where the adapter is. If it is to be placed and is nowhere, it is plugged in. */
    record Locate(ActorRef<Answer> replyTo) implements PlacementMessage, AdapterEntity.Command {}

    /**
     * Drains the adapter and removes it from its node.
     *
     * @param to where it should be then; empty: nowhere
     */
    record Leave(Optional<Address> to, ActorRef<Answer> replyTo) implements PlacementMessage, AdapterEntity.Command {}

    /** Answers to both. */
    sealed interface Answer extends PlacementMessage {}

    /** The adapter is plugged in there. */
    record At(Address node, Gid gid) implements Answer {}

    /** It is neither here nor there yet. */
    record NotYet(String words) implements Answer {}

    /** It was drained and has left its node. */
    record Left() implements Answer {}

    record Refused(PlacementException.Reason reason, String words) implements Answer {}
}
