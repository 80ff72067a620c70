// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;

/**
 * A queue pair or the translator of another key, as the holder of leases. Called on the translator's thread: implementations
 * only send messages. Holders of one actor are equal: they end together.
 */
public interface LeaseHolder {
    void granted(Lease lease);

    void refused(int key, Denial reason);

    /** Asks the holder to release the grant; a queue pair does so in the turn in which it receives this. */
    void revoke(long grant);

    /** Returns the actor whose end counts as the release of all leases. */
    ActorRef<?> actor();
}
