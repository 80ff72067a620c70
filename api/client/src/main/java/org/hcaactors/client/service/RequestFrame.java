// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Message of a request or of its answer: kind, token, and the body behind them.
 *
 * @param body from its position to its limit
 */
record RequestFrame(Kind kind, RequestToken token, ByteBuffer body) {
    /** Bytes before the body. */
    static final int HEADER = 1 + 2 * Long.BYTES + Integer.BYTES;

    enum Kind {
        REQUEST,
        REPLY,
        /** The server could not execute the request; the body says why, in UTF-8. */
        FAILURE
    }

    static RequestFrame failure(RequestToken token, String why, int max) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return new RequestFrame(Kind.FAILURE, token, ByteBuffer.wrap(text, 0, Math.min(text.length, max)));
    }

    ByteBuffer encoded() {
        return ByteBuffer.allocate(HEADER + body.remaining())
                .put((byte) kind.ordinal())
                .putLong(token.adapter())
                .putInt(token.queuePair())
                .putLong(token.number())
                .put(body.duplicate())
                .flip();
    }

    /** Returns the frame of a message, and closes the message; empty if it is none. */
    static Optional<RequestFrame> of(Message message) {
        try (message) {
            ByteBuffer in = message.content();
            if (in.remaining() < HEADER) {
                return Optional.empty();
            }
            int kind = in.get();
            RequestToken token = new RequestToken(in.getLong(), in.getInt(), in.getLong());
            boolean isKnown = kind >= 0 && kind < Kind.values().length;
            return isKnown ? Optional.of(new RequestFrame(Kind.values()[kind], token, in.slice())) : Optional.empty();
        }
    }
}
