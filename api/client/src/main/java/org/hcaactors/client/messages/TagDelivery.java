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
import org.hcaactors.client.messages.TagArrival.DeliveryPath;

/** Delivery of a message to a receive that the program matched. Any thread. Errors fail that receive only; nothing is thrown. */
final class TagDelivery {
    private final TagResources resources;
    private final TagPeers peers;
    private final IntConsumer repost;

    /** @param repost takes the number of a slot that is free again */
    TagDelivery(TagResources resources, TagPeers peers, IntConsumer repost) {
        this.resources = resources;
        this.peers = peers;
        this.repost = repost;
    }

    void copy(UnexpectedMessage message, PendingReceive receive) {
        try {
            receive.buffer.write(resources.process(), resources.data(message.place(), message.lengthBytes()));
            receive.stage.complete(TagArrival.of(message.header().tag(), message.lengthBytes(), DeliveryPath.COPIED));
        } catch (RuntimeException failure) {
            // The program's memory, which was unmapped meanwhile.
            receive.stage.completeExceptionally(
                    asVerbsException("the message can't be copied to the receive's buffer", failure));
        } finally {
            repost.accept(message.place());
        }
    }

    /** The slot is free when the data are fetched, so the number of concurrent fetches is limited by the slots. */
    void fetch(UnexpectedMessage message, PendingReceive receive) {
        CompletionStage<Void> fetched = peers.byQueuePair(message.queuePair())
                .map(peer -> peer.fetch(message, receive.buffer))
                .orElseGet(() -> CompletableFuture.failedStage(
                        new VerbsException(Errno.EIO, "the connection to the message's sender was closed")));
        fetched.whenComplete((done, reason) -> {
            repost.accept(message.place());
            if (reason == null) {
                receive.stage.complete(
                        TagArrival.of(message.header().tag(), message.lengthBytes(), DeliveryPath.FETCHED_BY_PROGRAM));
            } else {
                receive.stage.completeExceptionally(reason);
            }
        });
    }

    /** A peer has fetched data, or uses another protocol. */
    void untagged(WorkCompletion completion) {
        int place = place(completion);
        if (completion.isSuccess()) {
            TagHeader.read(ByteBuffer.wrap(resources.message(place, TagHeader.BYTES)))
                    .filter(header -> header.operation() == TagHeader.Operation.FINISHED)
                    .ifPresent(header ->
                            peers.byQueuePair(completion.qpNumber()).ifPresent(peer -> peer.finished(header)));
        }
        repost.accept(place);
    }

    /** Identifiers of the endpoint's own buffers are negative. */
    static int place(WorkCompletion completion) {
        return Math.toIntExact(-1 - completion.workId());
    }

    void truncate(UnexpectedMessage message, PendingReceive receive) {
        repost.accept(message.place());
        if (message.header().operation() == TagHeader.Operation.RENDEZVOUS) {
            peers.byQueuePair(message.queuePair()).ifPresent(peer -> peer.notifyFetched(message));
        }
        receive.stage.completeExceptionally(VerbsException.invalid("the message"
                + (message.isLengthKnown() ? " of " + message.lengthBytes() + " bytes" : "")
                + " is longer than the receive's buffer of "
                + receive.buffer.lengthBytes() + " bytes"));
    }

    /** Programs always receive a VerbsException, with any cause. */
    static VerbsException asVerbsException(String what, RuntimeException reason) {
        return reason instanceof VerbsException refused
                ? refused
                : new VerbsException(Errno.EIO, what + ": " + reason, reason);
    }
}
