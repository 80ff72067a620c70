// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.client.messages.TagArrival.Way;

/**
 * How the program itself gives a message to the receive that it found for it. Any thread. Whatever fails is that receive's end, and
 * no other's: nothing is thrown here.
 */
final class TagDelivery {
    private final TagResources resources;
    private final TagPeers peers;
    private final IntConsumer repost;

    /** @param repost takes the number of a place that is free again */
    TagDelivery(TagResources resources, TagPeers peers, IntConsumer repost) {
        this.resources = resources;
        this.peers = peers;
        this.repost = repost;
    }

    void copy(UnexpectedMessage message, PendingReceive receive) {
        try {
            receive.buffer.write(resources.process(), resources.data(message.place(), message.lengthBytes()));
            receive.stage.complete(new TagArrival(message.header().tag(), message.lengthBytes(), Way.COPIED));
        } catch (RuntimeException gone) {
            // The program's memory, which it has given back meanwhile.
            receive.stage.completeExceptionally(typed("copying a message to its buffer failed", gone));
        } finally {
            repost.accept(message.place());
        }
    }

    /** Its place is free when it is fetched: so no more are fetched at a time than there are places. */
    void fetch(UnexpectedMessage message, PendingReceive receive) {
        CompletionStage<Void> fetched = peers.over(message.queuePair())
                .map(peer -> peer.fetch(message, receive.buffer))
                .orElseGet(() -> CompletableFuture.failedStage(new VerbsException(Errno.EIO, "its sender is gone")));
        fetched.whenComplete((done, reason) -> {
            repost.accept(message.place());
            if (reason == null) {
                receive.stage.complete(
                        new TagArrival(message.header().tag(), message.lengthBytes(), Way.FETCHED_BY_PROGRAM));
            } else {
                receive.stage.completeExceptionally(reason);
            }
        });
    }

    /** A peer has fetched something, or speaks another language. */
    void untagged(WorkCompletion completion) {
        int place = place(completion);
        if (completion.isSuccess()) {
            TagHeader.read(ByteBuffer.wrap(resources.message(place, TagHeader.BYTES)))
                    .filter(header -> header.operation() == TagHeader.Operation.FINISHED)
                    .ifPresent(header -> peers.over(completion.qpNumber()).ifPresent(peer -> peer.finished(header)));
        }
        repost.accept(place);
    }

    /** Own buffers have negative numbers. */
    static int place(WorkCompletion completion) {
        return Math.toIntExact(-1 - completion.workId());
    }

    void truncate(UnexpectedMessage message, PendingReceive receive) {
        repost.accept(message.place());
        if (message.header().operation() == TagHeader.Operation.RENDEZVOUS) {
            peers.over(message.queuePair()).ifPresent(peer -> peer.tell(message));
        }
        receive.stage.completeExceptionally(VerbsException.invalid("a message of "
                + (message.isLengthKnown() ? message.lengthBytes() + "" : "more") + " bytes for a buffer of "
                + receive.buffer.lengthBytes()));
    }

    /** What programs are told is a VerbsException, whatever it came from. */
    static VerbsException typed(String what, RuntimeException reason) {
        return reason instanceof VerbsException refused
                ? refused
                : new VerbsException(Errno.EIO, what + ": " + reason, reason);
    }
}
