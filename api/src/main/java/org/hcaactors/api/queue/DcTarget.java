// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;

/**
 * What is asked over the dynamically connected transport (a DCT, {@code MLX5DV_DCTYPE_DCT}): any number of initiators that know its
 * number and its access key reach it. It posts nothing; each message takes a receive of its shared receive queue, and completes
 * in its completion queue, which does not say whom it came from. Each initiator that is connected has a responder of the
 * adapter's pool (a DCR); where that is nearly empty, others are told to come again (CNAK), and where it is empty they are not
 * answered.
 *
 * <p>What a peer does wrong ends that peer's session and is told by an event; the target goes on.
 *
 * <p>It is created in RESET, by {@link org.hcaactors.api.device.ProtectionDomain#createDcTarget}, and {@link #open open(terms)}
 * brings it up, to RTR: before that it has no {@link #number}, and nobody reaches it. It goes from RESET over INIT to RTR, and nowhere
 * else, but to ERR, which nothing leads out of, where what it depends on fails, or it does. Destroying it drains it first: nobody connects any more, and messages that are half there may end.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DcTarget extends QueuePairEndpoint {
    /** 24 bits; VerbsException (EINVAL) where it never was in RTR: the adapter gives the number then. */
    @Override
    int number();

    /** What initiators have to bring. */
    long accessKey();

    /** EINVAL before RTR, when the adapter knows nothing of it yet. */
    @Override
    CompletionStage<QpSnapshot> query();

    /** How it stands ({@code ibv_exp_query_dct}), also while it drains; EINVAL before RTR, and once it is gone. */
    CompletionStage<DcTargetStatus> status();

    /**
     * The next access key that is wrong is told by DCT_KEY_VIOLATION; one event for each call, and for several before it ({@code
     * ibv_exp_arm_dct}). EINVAL before RTR.
     */
    CompletionStage<Void> armKeyViolation();

    /** Drains it, then destroys it. */
    @Override
    CompletionStage<Void> destroy();

    /**
     * RESET to RTR in one call, with entry 0 of the GID table for its answers; EINVAL, and nothing changed, in another state. Where
     * the adapter has not the MTU, EINVAL too, it is in INIT: nothing leads back, and {@link #modify} goes on.
     *
     * @param attributes as this end has them: the rights of peers, the MTU, and how long they are told to wait for a receive
     */
    default CompletionStage<Void> open(RcConnection attributes) {
        QpModify toRtr = QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(attributes.minRnrTimerCode()),
                new QpAttribute.Av(AddressVector.to(gid())),
                new QpAttribute.Mtu(attributes.mtu()));
        return modify(QpModify.toInit(attributes.remoteAccess())).thenCompose(init -> modify(toRtr));
    }
}
