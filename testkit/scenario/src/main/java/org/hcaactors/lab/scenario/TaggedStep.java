// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import org.hcaactors.api.tag.TagAdd;

/** What a program does about messages that have tags. */
public sealed interface TaggedStep {
    TaggedConnection line();

    Duration at();

    /** The next step begins when what it asks for is over. */
    boolean waits();

    /** Messages or receives that it is about. */
    int times();

    /** Of each. */
    int bytes();

    /** @param bySecond the second end sends it */
    record Send(TaggedConnection line, boolean bySecond, long tag, int bytes, int times, Duration at, boolean waits)
            implements TaggedStep {}

    /**
     * @param bySecond the second end waits for it
     * @param mask which bits of the tag count
     * @param called as a later step names it; may be empty
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
        /** {@code tag 0x700 by the bits 0xf00}. */
        String requested() {
            return "tag 0x%x".formatted(tag) + (mask == TagAdd.EXACTLY ? "" : " by the bits 0x%x".formatted(mask));
        }
    }

    /** @param receive what it gives up */
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
