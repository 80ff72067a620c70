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
     * Withholds receives from the next {@code messages} messages that need one, even if receives are posted: RC, XRC and DC
     * answer RNR NAK, UC and UD lose the messages. No effect if the adapter has no such queue pair or DC target.
     *
     * @param struck called for the first of these messages
     */
    public void withhold(String adapter, int queuePair, int messages, Runnable struck) {
        withheld.put(new Owner(adapter, queuePair), new Withheld(messages, struck));
    }
}
