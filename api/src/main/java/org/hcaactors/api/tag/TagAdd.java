// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Operation that appends a receive to a tag list ({@code IBV_WR_TAG_ADD}). The receive matches the first message whose tag,
 * masked with its mask, equals its tag (rule tag-match).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class TagAdd implements TagOperation {
    /** Mask that compares every bit. */
    public static final long EXACTLY = -1L;

    private final long id;
    private final Receive receive;
    private final long tag;
    private final long mask;
    private final boolean signaled;
    private final OptionalInt handled;

    private TagAdd(long id, Receive receive, long tag, long mask, boolean signaled, OptionalInt handled) {
        this.id = id;
        this.receive = receive;
        this.tag = tag;
        this.mask = mask;
        this.signaled = signaled;
        this.handled = handled;
    }

    /** Matches exactly this tag; not signaled (see {@link org.hcaactors.api.queue.TagSharedReceiveQueue#maxOperations}). */
    public static TagAdd of(long id, Receive receive, long tag) {
        return new TagAdd(id, receive, tag, EXACTLY, false, OptionalInt.empty());
    }

    /**
     * Compares only these bits of a message's tag. The other bits must be 0 in this receive's tag, or no message matches.
     * ({@code TagEndpoint} of the artifact {@code hca-client} clears them itself.)
     */
    public TagAdd withMask(long bits) {
        return new TagAdd(id, receive, tag, bits, signaled, handled);
    }

    public TagAdd withSignaled() {
        return new TagAdd(id, receive, tag, mask, true, handled);
    }

    /** Reports the number of unexpected messages handled so far; posting is EINVAL unless it is 0 to 2^16-1. */
    public TagAdd withHandled(int messages) {
        return new TagAdd(id, receive, tag, mask, signaled, OptionalInt.of(messages));
    }

    @Override
    public long id() {
        return id;
    }

    /** Receive with the identifier of the message's completions; it has at most one element. */
    public Receive receive() {
        return receive;
    }

    public List<LocalSlice> local() {
        return receive.local();
    }

    public long tag() {
        return tag;
    }

    public long mask() {
        return mask;
    }

    @Override
    public boolean signaled() {
        return signaled;
    }

    @Override
    public OptionalInt handled() {
        return handled;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagAdd same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagAdd[id=%d, receive=%s, tag=0x%x, mask=0x%x, signaled=%s, handled=%s]"
                .formatted(id, receive, tag, mask, signaled, handled);
    }

    private List<Object> values() {
        return List.of(id, receive, tag, mask, signaled, handled);
    }
}
