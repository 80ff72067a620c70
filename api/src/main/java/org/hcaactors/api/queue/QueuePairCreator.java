// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;

/**
 * Creator of queue pairs: a {@linkplain org.hcaactors.api.device.ProtectionDomain protection domain}.
 *
 * <p>Threads: any. Limits: those of the domain.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface QueuePairCreator {
    /**
     * Creates a queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or with a queue that is closed
     * or of another context.
     */
    <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested);
}
