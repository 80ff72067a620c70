// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

/** Calls of subscribers and readers, in which a program may not wait for what waits for them. */
public final class SubscriberCalls {
    private SubscriberCalls() {}

    /**
     * IllegalStateException where the calling thread is in a subscriber's or a reader's call: found on its stack, so that calls need not
     * be counted.
     *
     * @param what is not done there
     */
    public static void checkNone(String what) {
        boolean called = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.anyMatch(frame -> frame.getDeclaringClass() == Delivery.class));
        if (called) {
            throw new IllegalStateException(what
                    + " in a subscriber's or a reader's call would wait for that call to return; nothing was closed."
                    + " Complete a future there, and close where that is waited for");
        }
    }
}
