// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages that come in find their receives. It decides for each message: which buffer, through whose keys that is
 * reached, and which completion queue is told.
 */
public interface Receives {
    /** Whether a message finds a buffer. */
    enum Supply {
        READY,
        EMPTY,
        /** Asked for; try again when the answer is in. */
        AWAITING
    }

    /** @param first the packet that the message begins with, or that needs the buffer */
    Supply supply(Packet first, Turn turn);

    /** Why {@link #supply} is EMPTY. */
    NoReceive whyEmpty();

    /** A buffer stands ready. */
    boolean hasNext();

    /** The buffer that the next message takes; only if there is one. */
    Receive next();

    /** The next buffer is in use. */
    void take();

    /** The message whose buffer was taken last has more packets to come. */
    void goesOn(Turn turn);

    /** Leading bytes of a packet's payload that do not go to the buffer. */
    int skipped(Packet packet);

    /** What was taken and not completed can be the next one again. */
    boolean takesBack();

    /** Only where it {@link #takesBack}: that buffer, taken last, is the next one again. */
    void takeBack(Receive receive);

    /** The message before its end that this buffer was taken for will never end. */
    void abandon(Receive receive, Turn turn);

    /** The way to the buffers. */
    LocalMemory memory();

    /**
     * The queue pair's own completion queue is told, where nothing else is said.
     *
     * @param inlineData what the completion carries, if it does
     */
    default void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        turn.completedReceive(completion, solicited, inlineData);
    }
}
