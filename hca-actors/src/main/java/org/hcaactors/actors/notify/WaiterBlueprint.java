// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.notify;

import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.stage.Reply;

/** How a thread is made that completion queues can wake. */
public record WaiterBlueprint() implements Blueprint<WaiterActor.Command, WaiterHandle> {
    @Override
    public ObjectKind kind() {
        return ObjectKind.WAITER;
    }

    @Override
    public Behavior<WaiterActor.Command> behavior(int number, Services services, Reply<WaiterHandle> reply) {
        return WaiterActor.create(number, services, reply);
    }
}
