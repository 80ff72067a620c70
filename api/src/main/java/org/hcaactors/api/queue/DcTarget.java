// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;

/**
 * DC target (a DCT, {@code MLX5DV_DCTYPE_DCT}). Any number of initiators that know its number and its access key can connect.
 * It sends no requests; each message consumes a receive of its shared receive queue and completes on its completion queue, and
 * the completion does not identify the initiator. Each connected initiator has a responder from the adapter's pool (a DCR). If
 * few responders are free, further initiators receive a CNAK and retry; if none is free, they receive no answer.
 *
 * <p>A peer's protocol error ends that peer's session and raises an event; the target continues.
 *
 * <p>{@link org.hcaactors.api.device.ProtectionDomain#createDcTarget} creates it in RESET, and {@link #open} moves it to RTR;
 * before RTR it has no {@link #number}, and no initiator can reach it. Its only states are RESET, INIT, RTR and ERR. It moves
 * to ERR if it fails or an object that it depends on fails; no transition leaves ERR. Destroying it drains it first: new
 * connections are refused, and messages in progress may complete.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DcTarget extends QueuePairEndpoint {
    /** Returns 24 bits; VerbsException (EINVAL) if it was never in RTR: the adapter assigns the number in that transition. */
    @Override
    int number();

    /** Access key that initiators must present. */
    DcAccessKey accessKey();

    /** EINVAL before RTR, because the adapter creates it in that transition. */
    @Override
    CompletionStage<QpSnapshot> query();

    /** Queries its status ({@code ibv_exp_query_dct}), also while it drains; EINVAL before RTR and after it was destroyed. */
    CompletionStage<DcTargetStatus> status();

    /**
     * Arms the DCT_KEY_VIOLATION event for the next wrong access key ({@code ibv_exp_arm_dct}). Each call gives one event;
     * several violations before the call give one. EINVAL before RTR.
     */
    CompletionStage<Void> armKeyViolation();

    /** Drains it, then destroys it. */
    @Override
    CompletionStage<Void> destroy();

    /**
     * Moves it from RESET to RTR in one call, with entry 0 of the GID table as source of its answers; EINVAL, and nothing
     * changes, in another state. If the adapter does not support the MTU, also EINVAL, it stays in INIT, from where {@link
     * #modify} continues.
     *
     * @param attributes of this end: the rights of peers, the MTU, and the timer code of RNR NAKs
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
