// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * A peer's request for a connection, which the program accepts or rejects, once. Until then the peer waits, for as long as it repeats
 * its request; then the request is withdrawn.
 *
 * <p>Threads: any. Limits: none.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ConnectionRequest {
    /** Address and port of the peer. */
    InetSocketAddress peer();

    /** The peer's data, read-only: {@value ConnectionDescription#MAX_REQUEST_DATA} bytes, the end of which may be padding with zeros. */
    ByteBuffer privateData();

    /** Maximum READs and atomics that the peer will have outstanding; the connection has at most the smaller one of both ends. */
    int peerRdAtomic();

    /** True if the peer no longer waits; accepting fails. */
    boolean isWithdrawn();

    /**
     * Creates a queue pair, moves it to RTS and accepts. Completes when the peer is ready to receive.
     *
     * <p>Fails with the refusal of the queue pair, after which the peer is rejected; with a {@link ConnectionException} if the
     * peer has withdrawn the request, rejects the reply, or does not answer; with EINVAL if the request was decided before.
     */
    CompletionStage<Connection> accept(ConnectionDescription description);

    /**
     * Rejects with reason {@value ConnectionException#CONSUMER_DEFINED} and no data.
     *
     * @see #reject(ByteBuffer)
     */
    default CompletionStage<Void> reject() {
        return reject(ByteBuffer.allocate(0));
    }

    /**
     * Rejects with reason {@value ConnectionException#CONSUMER_DEFINED}. Completes when the rejection has been sent, also if the
     * request was withdrawn; EINVAL if it was decided before.
     *
     * @param privateData for the peer, at most {@value ConnectionDescription#MAX_REJECT_DATA} bytes; copied
     */
    CompletionStage<Void> reject(ByteBuffer privateData);
}
