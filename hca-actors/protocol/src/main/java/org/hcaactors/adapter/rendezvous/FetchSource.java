// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.ReceiveSource;

// rule rendezvous-dc
/**
 * No source of receives: the queue pair is the initiator of a tag-matching queue and only fetches data.
 *
 * @param queue the tag-matching queue
 */
public record FetchSource(TagReceiveSource queue) implements ReceiveSource {
    @Override
    public QueuePairReceives receives(ReceiveParts parts) {
        return new FetcherReceives(parts.memory(), new RendezvousFetches(queue, parts.memory(), parts));
    }

    @Override
    public boolean mayFetch() {
        return true;
    }
}
