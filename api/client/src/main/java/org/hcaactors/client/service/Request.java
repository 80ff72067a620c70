// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A request that a server has received.
 *
 * <p>Immutable.
 *
 * @param token its identity
 * @param peer address of the client
 * @param body content, read-only
 */
public record Request(RequestToken token, InetSocketAddress peer, ByteBuffer body) {
    public Request {
        body = body.asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer body() {
        return body.duplicate();
    }
}
