// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;

/**
 * A queue pair, or the translator of another key, as a translator sees it. Called on the translator's thread: it only tells.
 * Those of one actor are equal: they die together.
 */
public interface LeaseHolder {
    void granted(Lease lease);

    void refused(int key, Denial reason);

    /** The holder must give the grant back: a queue pair in the turn in which it learns of this. */
    void revoke(long grant);

    /** Whose death counts as giving everything back. */
    ActorRef<?> actor();
}
