// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.ReceivesGuard;

/** The receives of every queue pair of a world, so that they can be withheld. Belongs to the world's thread. */
public final class Provisions implements ReceivesGuard {
    private record Owner(String adapter, int queuePair) {}

    /** A number that comes again is another queue pair. */
    private final Map<Owner, WithheldReceives> all = new LinkedHashMap<>();

    @Override
    public Receives around(String adapter, int queuePair, Receives receives) {
        WithheldReceives own = new WithheldReceives(receives);
        all.put(new Owner(adapter, queuePair), own);
        return own;
    }

    /**
     * The queue pair of that number takes that many of the next messages that need a receive as if none were posted: RC answers
     * RNR NAK, UC and UD lose them. Without effect if there is none.
     */
    public void withhold(String adapter, int queuePair, int messages) {
        WithheldReceives own = all.get(new Owner(adapter, queuePair));
        if (own != null) {
            own.withhold(messages);
        }
    }
}
