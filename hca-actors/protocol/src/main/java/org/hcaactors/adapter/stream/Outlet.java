// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;

/**
 * Receiver of a subscription's elements: the caller's code, on the subscription's thread. An exception from it ends the
 * subscription as a cancel does.
 *
 * @param <G> what is granted in one message
 */
public interface Outlet<G> {
    void opened(Flow.Subscription subscription);

    /** Hands over one element; returns false if it was withdrawn since it was granted. */
    boolean deliver(G granted, int index);

    void failed(Throwable reason);

    /** The stream has ended. */
    void completed();

    /** The caller's code threw, and the subscription ends. */
    default void threw(Throwable thrown) {}

    /** The subscription was cancelled, and elements not handed out are back with the owner. The owner's thread. */
    default void returned() {}

    /** The owner is gone. The owner's thread. */
    default void ownerStopped() {}
}
