// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.ReceivesInterceptor;

/** Stands before the receives of every queue pair of a world, so that they can be withheld. Belongs to the world's thread. */
@SuppressWarnings("exports") // The adapter's side of it.
public final class ReceiveWithholder implements ReceivesInterceptor {
    private record Owner(String adapter, int queuePair) {}

    /**
     * @param messages that still find nothing
     * @param struck called at the next of them
     */
    private record Withheld(int messages, Runnable struck) {}

    private final Map<Owner, Withheld> withheld = new LinkedHashMap<>();

    @Override
    public void begins(String adapter, int number) {
        withheld.remove(new Owner(adapter, number));
    }

    @Override
    public Receives around(String adapter, int queuePair, Receives receives) {
        Owner owner = new Owner(adapter, queuePair);
        return new WithheldReceives(receives, () -> isWithheld(owner));
    }

    private boolean isWithheld(Owner owner) {
        Withheld left = withheld.remove(owner);
        if (left == null) {
            return false;
        }
        left.struck.run();
        if (left.messages > 1) {
            withheld.put(owner, new Withheld(left.messages - 1, () -> {}));
        }
        return true;
    }

    /**
     * The queue pair or target of that number takes that many of the next messages that need a receive as if none were posted: RC,
     * XRC and DC answer RNR NAK, UC and UD lose them. Without effect if there is none.
     *
     * @param struck called when the first of them comes
     */
    public void withhold(String adapter, int queuePair, int messages, Runnable struck) {
        withheld.put(new Owner(adapter, queuePair), new Withheld(messages, struck));
    }
}
