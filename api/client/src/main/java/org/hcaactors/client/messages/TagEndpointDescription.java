// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import org.hcaactors.api.error.VerbsException;

/**
 * Description of an endpoint to open. Immutable: each method returns a new description. All endpoints that communicate need the
 * same {@link #maxEagerBytes}, which is not checked: an eager message longer than the receiver's value ends the connection if it
 * is unexpected.
 */
public final class TagEndpointDescription {
    /** Eager messages of up to 4,096 bytes; 256 receives in the adapter's list, 256 unexpected messages, 64 sends. */
    public static final TagEndpointDescription DEFAULT = new TagEndpointDescription(4096, 256, 256, 64, 1 << 16);

    private static final int MAX = 1 << 20;

    private final int maxEagerBytes;
    private final int maxListed;
    private final int maxUnexpected;
    private final int maxSends;
    private final int maxReceives;

    private TagEndpointDescription(int maxEagerBytes, int maxListed, int maxUnexpected, int maxSends, int maxReceives) {
        this.maxEagerBytes = maxEagerBytes;
        this.maxListed = maxListed;
        this.maxUnexpected = maxUnexpected;
        this.maxSends = maxSends;
        this.maxReceives = maxReceives;
    }

    /** Maximum length of an eager message, in bytes; the data of longer ones are fetched when a receive matches. */
    public int maxEagerBytes() {
        return maxEagerBytes;
    }

    /** Maximum number of receives in the adapter's tag list; the program matches further ones. */
    public int maxListed() {
        return maxListed;
    }

    /**
     * Maximum number of unexpected messages. When it is reached, connections stall until one of these messages is received: a
     * receive for a later message of the same sender then waits for ever.
     */
    public int maxUnexpected() {
        return maxUnexpected;
    }

    /** Maximum number of outstanding messages to one peer, which the peer's adapter has neither received nor fetched. */
    public int maxSends() {
        return maxSends;
    }

    /** Maximum number of receives that wait for a message. */
    public int maxReceives() {
        return maxReceives;
    }

    /** EINVAL unless {@code bytes} is 0 to 2^20. */
    public TagEndpointDescription withMaxEagerBytes(int bytes) {
        return new TagEndpointDescription(
                within("eager bytes", bytes, 0), maxListed, maxUnexpected, maxSends, maxReceives);
    }

    /** EINVAL unless {@code receives} is 1 to 2^20; above the adapter's limit, opening is refused. */
    public TagEndpointDescription withMaxListed(int receives) {
        return new TagEndpointDescription(
                maxEagerBytes, within("listed receives", receives, 1), maxUnexpected, maxSends, maxReceives);
    }

    /** EINVAL unless {@code messages} is 1 to 2^20. */
    public TagEndpointDescription withMaxUnexpected(int messages) {
        return new TagEndpointDescription(
                maxEagerBytes, maxListed, within("unexpected messages", messages, 1), maxSends, maxReceives);
    }

    /** EINVAL unless {@code messages} is 1 to 2^20. */
    public TagEndpointDescription withMaxSends(int messages) {
        return new TagEndpointDescription(
                maxEagerBytes, maxListed, maxUnexpected, within("sends", messages, 1), maxReceives);
    }

    /** EINVAL unless {@code receives} is 1 to 2^20. */
    public TagEndpointDescription withMaxReceives(int receives) {
        return new TagEndpointDescription(
                maxEagerBytes, maxListed, maxUnexpected, maxSends, within("receives", receives, 1));
    }

    private static int within(String what, int value, int min) {
        if (value < min || value > MAX) {
            throw VerbsException.invalid(
                    "the number of %s is %d; %d to %d is allowed".formatted(what, value, min, MAX));
        }
        return value;
    }

    @Override
    public String toString() {
        return "tag endpoint, eager messages of up to %d bytes, %d receives listed, %d unexpected messages"
                .formatted(maxEagerBytes, maxListed, maxUnexpected);
    }
}
