// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.Turn;

// rule rendezvous-dc
/**
 * Fetcher that delegates to the initiator of its tag-matching queue, since a DC responder sends no requests.
 *
 * @param longest maximum message length of the adapter, in bytes
 */
record DelegatedFetcher(TagReceiveSource queue, long longest) implements Fetcher {
    @Override
    public Optional<Reason> whyNot(TagOpening.Rendezvous message, long roomBytes) {
        return RendezvousFetches.tooLong(message, Math.min(roomBytes, longest));
    }

    @Override
    public void fetch(FetchOrder order, Turn turn) {
        queue.fetch(order, turn.cause());
    }
}
