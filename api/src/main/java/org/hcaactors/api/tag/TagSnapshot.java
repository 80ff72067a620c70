// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a tag list at one instant.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class TagSnapshot {
    private final int tags;
    private final int notMatching;
    private final int unexpected;
    private final int handled;

    private TagSnapshot(int tags, int notMatching, int unexpected, int handled) {
        this.tags = tags;
        this.notMatching = notMatching;
        this.unexpected = unexpected;
        this.handled = handled;
    }

    /** Returns a snapshot of a list with this number of receives, all of which match, before the first unexpected message. */
    public static TagSnapshot of(int tags) {
        return new TagSnapshot(tags, 0, 0, 0);
    }

    /** Receives that wait for a message. */
    public int tags() {
        return tags;
    }

    /** Number of those that match no message until the program reports its handled messages (rule tag-phase). */
    public int notMatching() {
        return notMatching;
    }

    /** Messages that the adapter has delivered as unexpected, modulo 2^16. */
    public int unexpected() {
        return unexpected;
    }

    /** Number of handled unexpected messages that the program last reported. */
    public int handled() {
        return handled;
    }

    public TagSnapshot withNotMatching(int receives) {
        return new TagSnapshot(tags, receives, unexpected, handled);
    }

    public TagSnapshot withUnexpected(int messages) {
        return new TagSnapshot(tags, notMatching, messages, handled);
    }

    public TagSnapshot withHandled(int messages) {
        return new TagSnapshot(tags, notMatching, unexpected, messages);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagSnapshot same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagSnapshot" + values();
    }

    private List<Object> values() {
        return List.of(tags, notMatching, unexpected, handled);
    }
}
