// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A received message.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class TagArrival {
    private final long tag;
    private final int lengthBytes;
    private final DeliveryPath path;

    private TagArrival(long tag, int lengthBytes, DeliveryPath path) {
        this.tag = tag;
        this.lengthBytes = lengthBytes;
        this.path = Objects.requireNonNull(path, "path");
    }

    /** Path by which the data reached the buffer. More may follow: a switch over them wants a default. */
    public enum DeliveryPath {
        /** The adapter wrote them from the packets. */
        EXPECTED,
        /** The program copied them from an internal buffer. */
        COPIED,
        /** The adapter fetched them from the sender. */
        FETCHED,
        /** The program fetched them from the sender. */
        FETCHED_BY_PROGRAM
    }

    /** Returns a message with this tag of the sender and this length. */
    public static TagArrival of(long tag, int lengthBytes, DeliveryPath path) {
        return new TagArrival(tag, lengthBytes, path);
    }

    /** The sender's tag. */
    public long tag() {
        return tag;
    }

    /** Length of the data. */
    public int lengthBytes() {
        return lengthBytes;
    }

    /** Path by which the data reached the buffer. */
    public DeliveryPath deliveryPath() {
        return path;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagArrival same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagArrival" + values();
    }

    private List<Object> values() {
        return List.of(tag, lengthBytes, path);
    }
}
