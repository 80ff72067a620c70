// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

/**
 * Calls of the subscribers and readers of one network, in which a program may not wait for what waits for them. Any thread, each for
 * itself.
 */
public final class SubscriberCalls {
    /** How many of them a thread is in: one may be made in another where neither has a thread of its own. */
    private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

    public void begins() {
        depth.get()[0]++;
    }

    public void ends() {
        depth.get()[0]--;
    }

    /**
     * IllegalStateException where the calling thread is in such a call.
     *
     * @param what is not done there
     */
    public void checkNone(String what) {
        if (depth.get()[0] > 0) {
            throw new IllegalStateException(what
                    + " in a subscriber's, a reader's, a tap's or an interceptor's call, or in an action on an event's stage,"
                    + " would wait for that call to return; nothing was closed."
                    + " Complete a future there, and close where that is waited for");
        }
    }
}
