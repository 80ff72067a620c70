// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import org.hcaactors.api.tag.TagAdd;

/** An action of a program on tagged messages. */
public sealed interface TaggedStep {
    TaggedConnection line();

    Duration at();

    /** True if the next step begins after this one has ended. */
    boolean waits();

    /** Returns the number of messages or receives. */
    int times();

    /** Returns the length of each. */
    int bytes();

    /** @param bySecond true if the second end sends */
    record Send(TaggedConnection line, boolean bySecond, long tag, int bytes, int times, Duration at, boolean waits)
            implements TaggedStep {}

    /**
     * @param bySecond true if the second end receives
     * @param mask the tag bits that are compared
     * @param called name for later steps; may be empty
     */
    record Receive(
            TaggedConnection line,
            boolean bySecond,
            long tag,
            long mask,
            int bytes,
            int times,
            String called,
            Duration at,
            boolean waits)
            implements TaggedStep {
        /** Returns {@code tag 0x700 by the bits 0xf00}. */
        String requested() {
            return "tag 0x%x".formatted(tag) + (mask == TagAdd.EXACTLY ? "" : " by the bits 0x%x".formatted(mask));
        }
    }

    /** @param receive the receive to cancel */
    record Cancel(Receive receive, Duration at, boolean waits) implements TaggedStep {
        @Override
        public TaggedConnection line() {
            return receive.line();
        }

        @Override
        public int times() {
            return receive.times();
        }

        @Override
        public int bytes() {
            return 0;
        }
    }
}
