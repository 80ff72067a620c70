// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.work.RcWork;

/**
 * A reliable connected queue pair: every message is delivered once and in order, or ends in an error completion.
 *
 * <p>Threads: any, as for every queue pair. Limits: those of every queue pair, and {@link RcConnection#rdAtomic()} outstanding
 * READs and atomics; more wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface RcQueuePair extends ConnectedQueuePair<RcWork, RcConnection> {
    @Override
    default CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection attributes) {
        return BringUp.of(this, attributes.toInit(), attributes.toRtr(peer, peerQp), attributes.toRts());
    }
}
