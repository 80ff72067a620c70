// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;

/**
 * Where a subscription brings what it is granted: the caller's code, on the subscription's thread. Whatever it throws ends
 * the subscription as a cancel does.
 *
 * @param <G> what is granted in one message
 */
public interface Outlet<G> {
    void opened(Flow.Subscription subscription);

    /** Hands over one element; false if it was withdrawn since it was granted. */
    boolean hand(G granted, int index);

    void failed(Throwable reason);

    /** The stream is over. */
    void over();

    /** The caller's code threw, and the subscription ends. */
    default void threw(Throwable thrown) {}

    /** It was cancelled, and what it was not handed is back with the owner. The owner's thread. */
    default void returned() {}

    /** The owner is gone. The owner's thread. */
    default void ownerGone() {}
}
