// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.Turn;

/** Fetcher of rendezvous data. */
interface Fetcher {
    // rule rendezvous-incomplete
    /** Returns why the program must fetch the data; empty if the adapter can. */
    Optional<Reason> whyNot(TagOpening.Rendezvous message, long roomBytes);

    /** Fetches the data; call it only if {@link #whyNot} is empty. */
    void fetch(FetchOrder order, Turn turn);

    /** Requests the data of the fetches that may start now. */
    default void start(Turn turn) {}

    /** Cancels the fetches that have not started. */
    default void cancel(Turn turn) {}
}
