// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.work.UcWork;

/**
 * An unreliable connected queue pair: nothing is acknowledged, a message that loses a packet is dropped as a whole, and a
 * request completes when its last packet has been sent (IBA 9.8).
 *
 * <p>Threads: any, as for every queue pair. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface UcQueuePair extends ConnectedQueuePair<UcWork, UcConnection> {
    @Override
    default CompletionStage<Void> connect(Gid peer, int peerQp, UcConnection attributes) {
        return BringUp.of(this, attributes.toInit(), attributes.toRtr(peer, peerQp), attributes.toRts());
    }
}
