// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.ReceivesInterceptor;

/** Interceptor of the receives of every queue pair of a world, so that receives can be withheld. Used on the world's thread. */
@SuppressWarnings("exports") // The type is internal to the adapter.
public final class ReceiveWithholder implements ReceivesInterceptor {
    private record Owner(String adapter, int queuePair) {}

    /**
     * @param messages that will find no receive
     * @param struck called for the next of them
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
     * Withholds receives from that many of the next messages that need one, even if some are posted: RC, XRC and DC answer RNR
     * NAK, UC and UD lose them. Without effect if there is no queue pair or target of that number.
     *
     * @param struck called for the first of them
     */
    public void withhold(String adapter, int queuePair, int messages, Runnable struck) {
        withheld.put(new Owner(adapter, queuePair), new Withheld(messages, struck));
    }
}
