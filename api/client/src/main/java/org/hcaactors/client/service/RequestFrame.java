// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Message of a request, of its answer or of its end: kind, token, a value, and the body behind them.
 *
 * @param value nanoseconds until the deadline of a REQUEST, code of a FAILURE, 0 otherwise
 * @param body from its position to its limit
 */
record RequestFrame(Kind kind, RequestToken token, long value, ByteBuffer body) {
    /** Bytes before the body. */
    static final int HEADER = 1 + 3 * Long.BYTES + Integer.BYTES;

    enum Kind {
        REQUEST,
        REPLY,
        /** The request has failed; the body says why, in UTF-8. */
        FAILURE,
        /** The client does not wait for the reply any more. */
        CANCEL
    }

    static RequestFrame failure(RequestToken token, int code, String why) {
        return new RequestFrame(Kind.FAILURE, token, code, StandardCharsets.UTF_8.encode(why));
    }

    static RequestFrame cancel(RequestToken token) {
        return new RequestFrame(Kind.CANCEL, token, 0, ByteBuffer.allocate(0));
    }

    boolean isAnswer() {
        return kind == Kind.REPLY || kind == Kind.FAILURE;
    }

    String text() {
        return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
    }

    /** @param max maximum length of the body, of which the rest is cut */
    byte[] encoded(int max) {
        int length = Math.min(body.remaining(), max);
        return ByteBuffer.allocate(HEADER + length)
                .put((byte) kind.ordinal())
                .putLong(token.adapter())
                .putInt(token.queuePair())
                .putLong(token.number())
                .putLong(value)
                .put(body.slice(body.position(), length))
                .array();
    }

    /** Returns the frame of a message; empty if it is none. */
    static Optional<RequestFrame> of(ByteBuffer in) {
        if (in.remaining() < HEADER) {
            return Optional.empty();
        }
        int kind = in.get();
        RequestToken token = new RequestToken(in.getLong(), in.getInt(), in.getLong());
        long value = in.getLong();
        boolean isKnown = kind >= 0 && kind < Kind.values().length;
        return isKnown
                ? Optional.of(new RequestFrame(Kind.values()[kind], token, value, in.slice()))
                : Optional.empty();
    }
}
