// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.link.Endpoint;

/** Membership of a queue pair in multicast groups, which the fabric stores. */
final class MulticastMembership {
    private MulticastMembership() {}

    /** @param blockOwn the queue pair does not receive its own datagrams */
    static void change(QueuePairActor.Member member, Endpoint endpoint, boolean blockOwn, Services services) {
        if (member.joins()) {
            if (services.health().refuses(member.reply())) {
                return;
            }
            join(member, endpoint, blockOwn, services);
            return;
        }
        services.fabric().tell(new FabricActor.Leave(member.group(), endpoint, left -> {
            if (left) {
                services.limits().multicast().detach(member.group(), endpoint.qpNumber());
                Reply.done(member.reply());
            } else {
                member.reply()
                        .fail(VerbsException.invalid("queue pair " + endpoint.qpNumber()
                                + " is not attached to multicast group " + member.group()));
            }
        }));
    }

    // rule ud-multicast-limits
    private static void join(QueuePairActor.Member member, Endpoint endpoint, boolean blockOwn, Services services) {
        try {
            services.limits().multicast().attach(member.group(), endpoint.qpNumber());
        } catch (VerbsException refused) {
            member.reply().fail(refused);
            return;
        }
        services.fabric().tell(new FabricActor.Join(member.group(), endpoint, blockOwn));
        Reply.done(member.reply());
    }
}
