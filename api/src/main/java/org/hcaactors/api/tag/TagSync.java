// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.OptionalInt;

/**
 * Operation that reports the number of handled unexpected messages, without other effects ({@code IBV_WR_TAG_SYNC}).
 *
 * <p>Immutable.
 */
public record TagSync(long id, int messages, boolean signaled) implements TagOperation {
    /** Posting is EINVAL unless {@code messages} is 0 to 2^16-1. */
    public static TagSync of(long id, int messages) {
        return new TagSync(id, messages, false);
    }

    public TagSync withSignaled() {
        return new TagSync(id, messages, true);
    }

    @Override
    public OptionalInt handled() {
        return OptionalInt.of(messages);
    }
}
