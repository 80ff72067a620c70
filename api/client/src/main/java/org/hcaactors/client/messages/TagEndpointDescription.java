// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import org.hcaactors.api.error.VerbsException;

/**
 * Describes an endpoint before it is opened. Immutable: each call gives a new description. All endpoints that talk with each other
 * need the same {@link #longestEager}, which nothing checks: a message that brings more than its receiver's ends the connection where
 * nobody waits for it yet.
 */
public final class TagEndpointDescription {
    /** Messages of up to 4,096 bytes bring their data; 256 receives in the adapter's list, 256 unexpected messages, 64 sends. */
    public static final TagEndpointDescription DEFAULT = new TagEndpointDescription(4096, 256, 256, 64, 1 << 16);

    private static final int MAX = 1 << 20;

    private final int longestEager;
    private final int maxListed;
    private final int maxUnexpected;
    private final int maxSends;
    private final int maxReceives;

    private TagEndpointDescription(int longestEager, int maxListed, int maxUnexpected, int maxSends, int maxReceives) {
        this.longestEager = longestEager;
        this.maxListed = maxListed;
        this.maxUnexpected = maxUnexpected;
        this.maxSends = maxSends;
        this.maxReceives = maxReceives;
    }

    /** The longest message that brings its data, in bytes; the data of longer ones are fetched when they are wanted. */
    public int longestEager() {
        return longestEager;
    }

    /** Receives that the adapter compares; what more there are, the program compares. */
    public int maxListed() {
        return maxListed;
    }

    /**
     * Messages that nobody waits for yet. With more, their connections stand still until one of these is received: so who waits for a
     * message behind them, of the same sender, waits for ever.
     */
    public int maxUnexpected() {
        return maxUnexpected;
    }

    /** Messages to one peer under way, which their peer's adapter has not taken or fetched. */
    public int maxSends() {
        return maxSends;
    }

    /** Receives that wait for a message. */
    public int maxReceives() {
        return maxReceives;
    }

    /** EINVAL unless it is 0 to 2^20. */
    public TagEndpointDescription withLongestEager(int bytes) {
        return new TagEndpointDescription(
                within("bytes of data", bytes, 0), maxListed, maxUnexpected, maxSends, maxReceives);
    }

    /** EINVAL unless it is 1 to 2^20; beyond what the adapter has, opening is refused. */
    public TagEndpointDescription withMaxListed(int receives) {
        return new TagEndpointDescription(
                longestEager, within("listed receives", receives, 1), maxUnexpected, maxSends, maxReceives);
    }

    /** EINVAL unless it is 1 to 2^20. */
    public TagEndpointDescription withMaxUnexpected(int messages) {
        return new TagEndpointDescription(
                longestEager, maxListed, within("unexpected messages", messages, 1), maxSends, maxReceives);
    }

    /** EINVAL unless it is 1 to 2^20. */
    public TagEndpointDescription withMaxSends(int messages) {
        return new TagEndpointDescription(
                longestEager, maxListed, maxUnexpected, within("sends", messages, 1), maxReceives);
    }

    /** EINVAL unless it is 1 to 2^20. */
    public TagEndpointDescription withMaxReceives(int receives) {
        return new TagEndpointDescription(
                longestEager, maxListed, maxUnexpected, maxSends, within("receives", receives, 1));
    }

    private static int within(String what, int value, int min) {
        if (value < min || value > MAX) {
            throw VerbsException.invalid("%d %s; %d to %d are allowed".formatted(value, what, min, MAX));
        }
        return value;
    }

    @Override
    public String toString() {
        return "tag endpoint, messages of up to %d bytes bring their data, %d receives listed, %d unexpected messages"
                .formatted(longestEager, maxListed, maxUnexpected);
    }
}
