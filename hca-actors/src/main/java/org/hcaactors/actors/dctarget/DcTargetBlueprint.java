// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.queue.QueuePairBlueprint;
import org.hcaactors.actors.queue.QueuePairLinks;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.dc.DcResponderKind;
import org.hcaactors.adapter.dc.DcTargetGrants;
import org.hcaactors.adapter.dc.DcTargetMachine;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;

/**
 * Blueprint of a DC target.
 *
 * @param domain number of its protection domain
 * @param links of the target and its responders
 */
public record DcTargetBlueprint(DcTargetDescription requested, int domain, QueuePairLinks links)
        implements Blueprint<DcTargetActor.Command, DcTargetHandle> {
    @Override
    public ObjectKind kind() {
        return ObjectKind.QUEUE_PAIR;
    }

    @Override
    public int shard() {
        return links.shard();
    }

    @Override
    public Behavior<DcTargetActor.Command> behavior(int number, Services services, Reply<DcTargetHandle> reply) {
        return DcTargetActor.create(number, this, services, reply);
    }

    @Override
    public Optional<DcTargetActor.Command> whenAdapterFails() {
        return Optional.of(DcTargetActor.Note.DEVICE_FAILED);
    }

    DcTargetMachine machine(int number, Services services) {
        DcTargetGrants attributes =
                DcTargetGrants.of(requested, services.profile().dynamicallyConnected(), services.packetLifetimeNanos());
        return new DcTargetMachine(
                number, domain, attributes, services.profile(), services.port(), services.responders());
    }

    /** Returns the plan of a responder of the target with that number. */
    QpPlan plan(int number, ReceiveSource receives, QpPlan.Session session, Services services) {
        return new QpPlan(
                new DcResponderKind(),
                new KeyUser(domain, number),
                receives,
                QueuePairBlueprint.NO_QUEUES,
                QpDescription.Options.DEFAULT,
                services.port(),
                services.profile(),
                services.atomics(),
                Optional.of(session));
    }
}
