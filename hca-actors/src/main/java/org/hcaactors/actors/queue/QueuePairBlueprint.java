// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.work.AtomicValue;

/**
 * Blueprint of a queue pair.
 *
 * @param domain number of its protection domain
 * @param capacity actual sizes
 * @param buffer the pages of its queues
 */
public record QueuePairBlueprint(
        QueuePairKind qpKind,
        int domain,
        QpCapacity capacity,
        QpDescription.Options options,
        QueuePairLinks links,
        AllocatedPages buffer)
        implements Blueprint<QueuePairActor.Command, WorkQueues> {
    /** Capacity of a queue pair to which programs do not post. */
    public static final QpCapacity NO_QUEUES =
            QpCapacity.of(0).withMaxSge(0).withMaxInlineBytes(0).withMaxAtomicBytes(0);

    private static final Optional<QueuePairActor.Command> FAILS_WITH_ITS_ADAPTER =
            Optional.of(QueuePairInput.Note.DEVICE_FAILED);

    /**
     * Rounds queue lengths up to powers of two, as mlx5 does; 0 means no such queue (rule post-sizes).
     *
     * @throws VerbsException EINVAL beyond the limits of the profile
     */
    public static QpCapacity rounded(QpCapacity requested, Profile profile) {
        QueueCapabilities max = profile.queues();
        return requested
                .withMaxSendWr(Limits.powerOfTwo("maxSendWr", requested.maxSendWr(), max.maxWr()))
                .withMaxRecvWr(Limits.powerOfTwo("maxRecvWr", requested.maxRecvWr(), max.maxWr()))
                .withMaxSendSge(Limits.within("maxSendSge", requested.maxSendSge(), 0, max.maxSge()))
                .withMaxRecvSge(Limits.within("maxRecvSge", requested.maxRecvSge(), 0, max.maxSge()))
                .withMaxInlineBytes(
                        Limits.within("maxInlineBytes", requested.maxInlineBytes(), 0, max.maxInlineBytes()))
                .withMaxAtomicBytes(atomicBytes(requested.maxAtomicBytes()));
    }

    // rule post-sizes
    private static int atomicBytes(int requested) {
        boolean isSize =
                Integer.bitCount(requested) == 1 && requested >= Integer.BYTES && requested <= AtomicValue.MAX_BYTES;
        if (requested != 0 && !isSize) {
            throw VerbsException.invalid(
                    "maxAtomicBytes is " + requested + "; 0, 4, 8, 16, 32, 64, 128 and 256 are allowed");
        }
        return requested;
    }

    /**
     * Returns the bytes of its queues.
     *
     * @param capacity actual sizes
     * @param shared it uses a shared receive queue
     */
    public static long bufferBytes(QueuePairKind kind, QpCapacity capacity, boolean shared) {
        return QueueBytes.of(kind, capacity, shared);
    }

    // rule receive-shared-types
    /** @throws VerbsException EINVAL if queue pairs of that kind cannot use a shared receive queue */
    public static void checkShares(QueuePairKind kind) {
        if (!kind.canShareReceives()) {
            throw VerbsException.invalid(
                    "a queue pair of type " + kind.type() + " can't use a shared receive queue; RC and UD can");
        }
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.QUEUE_PAIR;
    }

    @Override
    public int shard() {
        return links.shard();
    }

    @Override
    public Behavior<QueuePairActor.Command> behavior(int number, Services services, Reply<WorkQueues> reply) {
        return QueuePairActor.create(number, this, services, reply);
    }

    QpPlan plan(int number, ReceiveSource receives, Services services) {
        return new QpPlan(
                qpKind,
                new KeyUser(domain, number),
                receives,
                capacity,
                options,
                services.port(),
                services.profile(),
                services.atomics());
    }

    @Override
    public Optional<QueuePairActor.Command> whenAdapterFails() {
        return FAILS_WITH_ITS_ADAPTER;
    }
}
