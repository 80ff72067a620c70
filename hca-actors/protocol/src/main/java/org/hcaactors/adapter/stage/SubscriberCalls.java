// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

/**
 * Tracks calls of the subscribers and readers of one network, in which a program must not wait for what waits for those calls.
 * Any thread; each thread is tracked separately.
 */
public final class SubscriberCalls {
    /** Nesting depth of such calls on the thread: one may be made within another if neither has a thread of its own. */
    private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

    public void begins() {
        depth.get()[0]++;
    }

    public void ends() {
        depth.get()[0]--;
    }

    /**
     * IllegalStateException if the calling thread is in such a call.
     *
     * @param what the operation that is not allowed there
     */
    public void checkNone(String what) {
        if (depth.get()[0] > 0) {
            throw new IllegalStateException(
                    what
                            + " within a call of a subscriber, a reader, a tap or an interceptor,"
                            + " or within an action on an event's stage, would wait for that call to return; no object was closed."
                            + " Complete a future within the call, and close the object in the thread that waits for the future");
        }
    }
}
