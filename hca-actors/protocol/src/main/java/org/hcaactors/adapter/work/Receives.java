// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Source of receives for incoming messages. For each message it selects the receive, the keys that its memory is accessed with,
 * and the completion queue.
 */
public interface Receives {
    /** Availability of a receive for a message. */
    enum Supply {
        READY,
        EMPTY
    }

    /** @param first the message's first packet, or the one that consumes the receive */
    Supply supply(Packet first, Turn turn);

    /** Returns why {@link #supply} is EMPTY. */
    NoReceive whyEmpty();

    /** True if a receive is ready. */
    boolean hasNext();

    /** Returns the receive that the next message takes; call it only if there is one. */
    Receive next();

    /** Takes the next receive. */
    void take();

    /** The message whose receive was taken last has more packets to follow. */
    void messageContinues(Turn turn);

    /** Number of leading payload bytes that are not written to the buffer. */
    int skipped(Packet packet);

    /** True if a receive that was taken and not completed can become the next one again. */
    boolean takesBack();

    /** Makes the receive that was taken last the next one again; call it only if {@link #takesBack}. */
    void takeBack(Receive receive);

    /** The message that took this receive is abandoned before its end. */
    void abandon(Receive receive, Turn turn);

    /** Returns the access to the receives' memory. */
    LocalMemory memory();

    /**
     * Completes a receive; by default to the queue pair's own completion queue.
     *
     * @param inlineData inline data of the completion, if any
     */
    default void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        turn.completedReceive(completion, solicited, inlineData);
    }
}
