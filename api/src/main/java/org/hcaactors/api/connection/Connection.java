// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * A connection with its queue pair ({@code rdma_cm_id}). Closing it flushes and destroys the queue pair, and tells the peer, without
 * waiting for its answer; the number is not reused while late packets may arrive. If the peer disconnects or its process ends, the
 * queue pair enters ERR, which flushes its requests, and {@link #ended} completes; it stays open, with its queue pair in ERR, until the program closes it. A peer that is silent is noticed by the next
 * request, which fails after its retries.
 *
 * <p>Threads: any. Limits: an adapter has 65,536 connections, those that ended a short time ago included.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Connection extends Handle {
    /** The queue pair, in RTS. It is destroyed with the connection. */
    RcQueuePair qp();

    /** Address and port of this end; a connecting end has a port that is chosen for it. */
    InetSocketAddress local();

    /** Address and port of the peer. */
    InetSocketAddress peer();

    /** Data of the peer's request or reply, read-only; the end may be padding with zeros. */
    ByteBuffer privateData();

    /** Completes when the connection has ended, in whatever way; never exceptionally. */
    CompletionStage<ConnectionEnd> ended();

    /**
     * Disconnects, with data for the peer, and destroys the queue pair.
     *
     * @param privateData at most {@value ConnectionDescription#MAX_DISCONNECT_DATA} bytes; copied
     */
    CompletionStage<Void> closeAsync(ByteBuffer privateData);
}
