// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.work.Receive;

/** Receives of queues that are shared: each is asked for, and the answer comes later. */
public interface AskedReceives extends Receives {
    /** The answer of the shared queue of that number. */
    void taken(int queue, Receive receive);

    /** The answer of the shared queue of that number: it has none. */
    void noneToTake(int queue);

    /** A later message asks again. */
    void endTurn();

    /** A buffer may still be on its way here. */
    boolean isAwaiting();

    /** What no message was put into goes back. */
    void clear(Turn turn);
}
