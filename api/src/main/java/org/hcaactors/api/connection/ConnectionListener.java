// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.handle.Handle;

/**
 * A port of an adapter where peers ask for connections ({@code rdma_listen}). Each request waits until the program accepts or rejects
 * it. While as many wait as the backlog allows, further ones are dropped; their peers repeat them, and they find room later.
 * Closing the listener rejects the requests that wait; connections that were accepted continue.
 *
 * <p>Threads: any. Limits: {@link #backlog} undecided requests.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ConnectionListener extends Handle {
    /** The adapter's first address, and the port. */
    InetSocketAddress address();

    /** Maximum number of requests that wait for the program's decision. */
    int backlog();

    /** Publishes the requests. One subscription at a time; completes when the listener is closed. */
    Flow.Publisher<ConnectionRequest> requests();

    /** Returns the next request as a stage; EBUSY while a subscription has them. */
    CompletionStage<ConnectionRequest> next();
}
