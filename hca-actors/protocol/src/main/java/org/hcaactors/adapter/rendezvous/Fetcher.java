// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.Turn;

/** Who asks for what messages left with their senders. */
interface Fetcher {
    // rule rendezvous-incomplete
    /** Why the program has to; empty where it need not. */
    Optional<Reason> whyNot(TagOpening.Rendezvous message, long roomBytes);

    /** Only what there is no reason against. */
    void fetch(FetchOrder order, Turn turn);
}
