// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.jspecify.annotations.Nullable;

/**
 * Sizes and terms of an endpoint. By default messages have at most 4,096 bytes; 16 messages of a channel are under way at a time;
 * 256 buffers receive, and 64 send, which all channels share; a channel may have 16 requests of the program besides; no keepalive; {@link RcConnection#DEFAULT}.
 *
 * <p>Immutable: {@code with} methods return changed copies. Components are added in minor versions.
 */
public final class EndpointDescription {
    private static final int MAX_MESSAGE = 1 << 30;
    private static final int MAX_BUFFERS = 1 << 15;

    /** Longest timer of a process. */
    private static final Duration MAX_KEEPALIVE = Duration.ofDays(24);

    public static final EndpointDescription DEFAULT = new EndpointDescription(new Fields());

    private final Fields fields;

    private EndpointDescription(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new description exists. */
    private static final class Fields {
        private int maxMessageBytes = 4_096;
        private int window = 16;
        private int receives = 256;
        private int ownReceives;
        private int sends = 64;
        private int oneSided = 16;
        private RcConnection terms = RcConnection.DEFAULT;
        private @Nullable Duration keepalive;

        private Fields() {}

        private Fields(Fields other) {
            maxMessageBytes = other.maxMessageBytes;
            window = other.window;
            receives = other.receives;
            ownReceives = other.ownReceives;
            sends = other.sends;
            oneSided = other.oneSided;
            terms = other.terms;
            keepalive = other.keepalive;
        }
    }

    public int maxMessageBytes() {
        return fields.maxMessageBytes;
    }

    /** Maximum size of the body of a request or of a reply: a message without the 29 bytes that say whose it is. */
    public int maxBodyBytes() {
        return maxMessageBytes() - RequestFrame.HEADER;
    }

    /** Maximum messages of one channel that are under way. */
    public int window() {
        return fields.window;
    }

    /** Buffers for messages that arrive, and that the program has not closed. */
    public int receives() {
        return fields.receives;
    }

    /** Receive buffers that each channel has for itself; empty: all channels share them. */
    public OptionalInt ownReceives() {
        return fields.ownReceives == 0 ? OptionalInt.empty() : OptionalInt.of(fields.ownReceives);
    }

    /** Buffers for messages that are being sent. */
    public int sends() {
        return fields.sends;
    }

    /** READs, WRITEs and atomics of the program that one channel may have under way. */
    public int oneSided() {
        return fields.oneSided;
    }

    public RcConnection terms() {
        return fields.terms;
    }

    /** Time without a message after which the peer is checked; empty: it is not. */
    public Optional<Duration> keepalive() {
        return Optional.ofNullable(fields.keepalive);
    }

    /**
     * Sets the maximum size of a message: 1 to 2^30 bytes; EINVAL at once for another one. Peers must have at least the same: a
     * longer message ends the channel.
     */
    public EndpointDescription withMaxMessageBytes(int bytes) {
        return with(now -> now.maxMessageBytes = checked("maximum size of a message", bytes, MAX_MESSAGE));
    }

    /** Sets the messages of a channel that are under way at a time: 1 to 32,768; EINVAL at once for another number. */
    public EndpointDescription withWindow(int messages) {
        return with(now -> now.window = checked("window", messages, MAX_BUFFERS));
    }

    /** Sets the number of receive buffers: 1 to 32,768; EINVAL at once for another number. */
    public EndpointDescription withReceives(int buffers) {
        return with(now -> now.receives = checked("number of receive buffers", buffers, MAX_BUFFERS));
    }

    /**
     * Gives each channel receive buffers of its own, in the receive queue of its queue pair: a program that does not close the messages
     * of one channel makes only that peer wait. The endpoint then has {@link #receives} divided by that number of channels; a further
     * one fails with ENOMEM, and a peer that asks for it is rejected. 1 to 32,768; EINVAL at once for another number.
     */
    public EndpointDescription withOwnReceives(int buffersOfEach) {
        return with(
                now -> now.ownReceives = checked("number of receive buffers of a channel", buffersOfEach, MAX_BUFFERS));
    }

    /** Sets the number of send buffers: 1 to 32,768; EINVAL at once for another number. */
    public EndpointDescription withSends(int buffers) {
        return with(now -> now.sends = checked("number of send buffers", buffers, MAX_BUFFERS));
    }

    /** Sets the program's own requests of a channel: 1 to 16,384; EINVAL at once for another number. */
    public EndpointDescription withOneSided(int requests) {
        return with(now -> now.oneSided = checked("number of one-sided requests", requests, MAX_BUFFERS / 2));
    }

    public EndpointDescription withTerms(RcConnection other) {
        return with(now -> now.terms = other);
    }

    /**
     * Checks the peer by a WRITE of no bytes whenever nothing was sent for that long; a channel whose peer does not acknowledge it
     * ends. EINVAL at once for a time that is not above 0 or exceeds 24 days.
     */
    public EndpointDescription withKeepalive(Duration idle) {
        if (idle.isNegative() || idle.isZero() || idle.compareTo(MAX_KEEPALIVE) > 0) {
            throw VerbsException.invalid(
                    "the keepalive time is " + idle + "; more than 0 and at most " + MAX_KEEPALIVE + " is allowed");
        }
        return with(now -> now.keepalive = idle);
    }

    private static int checked(String what, int value, int max) {
        if (value < 1 || value > max) {
            throw VerbsException.invalid("the " + what + " is " + value + "; 1 to " + max + " is allowed");
        }
        return value;
    }

    /** @throws VerbsException EINVAL if sizes do not fit each other */
    void check() {
        if (window() > sends()) {
            throw VerbsException.invalid("a window of " + window() + " messages needs as many send buffers; there are "
                    + sends() + " (withSends)");
        }
        if (fields.ownReceives > receives()) {
            throw VerbsException.invalid(fields.ownReceives + " receive buffers of each channel need as many of the"
                    + " endpoint; there are " + receives() + " (withReceives)");
        }
    }

    private EndpointDescription with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new EndpointDescription(copy);
    }
}
