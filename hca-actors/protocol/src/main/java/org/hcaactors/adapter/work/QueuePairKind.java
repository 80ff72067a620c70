// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.inline.InlineUse;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;

/**
 * A kind of queue pair: everything by which it differs from the others, apart from the handle of its program. Each is in the
 * package of its machines; {@code QueuePairKinds} lists those that have a type of their own. The defaults are those of a kind
 * with only the basics.
 */
public interface QueuePairKind {
    QpType type();

    /** Returns the transport by which the paging capabilities list it. */
    Transport pagingTransport();

    /** Creates the machines. */
    QueuePairSides sides(QpParts parts);

    /** Returns the kind of the buffer of its queues. */
    BufferKind buffer();

    // rule pages-queues
    /** Bytes of a request in the send queue between the control segment and the data segments. */
    int headerBytes();

    /** Checks what a program requests, before anything is created. VerbsException (EOPNOTSUPP, EINVAL) */
    default void check(QpDescription.Options options, Profile profile) {
        if (options.fullHandshake() || options.streams().isPresent()) {
            throw VerbsException.invalid(
                    "a queue pair of type " + type() + " has no handshakes and streams; only a DC initiator has");
        }
    }

    /** True if it has no receives and sends requests. */
    default boolean isInitiator() {
        return false;
    }

    // rule receive-shared-types
    /** True if it can use a shared receive queue that its program passes. */
    default boolean canShareReceives() {
        return false;
    }

    // rule tag-transports
    /** True if it can use a tag-matching queue on an adapter with these capabilities. */
    default boolean canMatchTags(TagCapabilities tags) {
        return false;
    }

    /** Returns what may be delivered in completions. */
    default Set<InlineUse> inlineUses() {
        return Set.of();
    }

    // rule indirect-post
    /** True if its requests may fill indirect keys. */
    default boolean canFillKeys() {
        return false;
    }

    /**
     * True if it may send runs of packets, which its responder executes as a whole
     * ({@link org.hcaactors.fabric.packet.Packet#isRun}).
     */
    default boolean sendsRuns() {
        return false;
    }

    // rule rendezvous-dc
    /** True if it can send a READ for a message that it received. */
    default boolean canFetch() {
        return false;
    }

    // rules window-invalidate-fails, dc-silence
    /** True if a failed invalidation is answered even on adapters that do not answer one. */
    default boolean answersFailedInvalidation() {
        return false;
    }

    /** Returns the queue pair as the trace names it. */
    default Element element(QpPlan plan) {
        return Element.queuePair(plan.number());
    }

    /** Returns the event that the program receives for that event of the queue pair; empty for none. */
    default Optional<AsyncEvent.Kind> reported(AsyncEvent.Kind event) {
        return Optional.of(event);
    }
}
