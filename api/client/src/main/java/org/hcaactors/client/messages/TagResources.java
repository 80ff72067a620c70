// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;

/** Objects that an endpoint creates on its adapter. */
record TagResources(
        ProtectionDomain domain,
        TagEndpointDescription attributes,
        HostMemory memory,
        MemoryRegion region,
        CompletionQueue completions,
        TagSharedReceiveQueue queue) {
    /** Slot of a message that is in none of the endpoint's buffers. */
    static final int NO_SLOT = -1;

    private static int placeBytes(TagEndpointDescription attributes) {
        return TagHeader.BYTES + Math.max(attributes.maxEagerBytes(), RendezvousHeader.BYTES);
    }

    static CompletionStage<TagResources> make(ProtectionDomain domain, TagEndpointDescription attributes) {
        HostMemory memory =
                domain.context().process().allocate((long) placeBytes(attributes) * attributes.maxUnexpected());
        return undone(
                domain.register(Registration.of(memory).withAccess(AccessFlags.of(Access.LOCAL_WRITE)))
                        .thenCompose(region -> undone(withQueues(domain, attributes, memory, region), region)),
                memory);
    }

    private static CompletionStage<TagResources> withQueues(
            ProtectionDomain domain, TagEndpointDescription attributes, HostMemory memory, MemoryRegion region) {
        int operations = Math.min(
                2 * attributes.maxListed(),
                domain.context().adapter().profile().tags().maxOperations());
        int entries = attributes.maxUnexpected() + 2 * attributes.maxListed() + operations;
        return domain.context().createCq(entries).thenCompose(completions -> {
            TagMatching requested = TagMatching.of(completions)
                    .withMaxTags(attributes.maxListed())
                    .withMaxOperations(Math.max(1, operations));
            return undone(
                    domain.createSrq(SrqDescription.of(attributes.maxUnexpected())
                                    .withMaxSge(1)
                                    .withTagMatching(requested))
                            .thenApply(
                                    queue -> new TagResources(domain, attributes, memory, region, completions, queue)),
                    completions);
        });
    }

    /** Closes {@code made} if {@code attempt} fails. */
    private static <T> CompletionStage<T> undone(CompletionStage<T> attempt, Handle made) {
        return attempt.handle((done, reason) -> reason == null
                        ? CompletableFuture.completedStage(done)
                        : made.closeAsync()
                                .handle((closed, busy) -> reason)
                                .thenCompose(CompletableFuture::<T>failedStage))
                .thenCompose(outcome -> outcome);
    }

    private CompletionStage<RcQueuePair> newPair() {
        return domain.createQp(QpDescription.rc()
                .withSrq(queue)
                .withCapacity(
                        QpCapacity.of(attributes.maxSends() + 2 * attributes.maxUnexpected() + attributes.maxListed())
                                .withMaxRecvWr(0)
                                .withMaxSendSge(2)));
    }

    CompletionStage<TagPeer> newPeer() {
        HostMemory headers = domain.context().process().allocate(TagPeer.headerBytes(attributes));
        return undone(
                domain.register(Registration.of(headers).withAccess(AccessFlags.NONE))
                        .thenCompose(region -> undone(
                                newPair().thenApply(pair -> new TagPeer(pair, attributes, headers, region)), region)),
                headers);
    }

    HostProcess process() {
        return domain.context().process();
    }

    /** Posts the buffer for another message. */
    void repost(int place) {
        if (place != NO_SLOT) {
            queue.postReceive(Receive.of(
                    -1L - place, region.slice((long) place * placeBytes(attributes), placeBytes(attributes))));
        }
    }

    /** Reads the headers of a message in a slot, limited by its length. */
    byte[] message(int place, long lengthBytes) {
        int count = (int) Math.min(lengthBytes, TagHeader.BYTES + RendezvousHeader.BYTES);
        return memory.read((long) place * placeBytes(attributes), count);
    }

    /** Reads the data after the header. */
    byte[] data(int place, int count) {
        return memory.read((long) place * placeBytes(attributes) + TagHeader.BYTES, count);
    }

    /** Creates an object on top of these, which are closed if it fails. */
    <T> CompletionStage<T> with(Function<TagResources, T> made) {
        try {
            return CompletableFuture.completedStage(made.apply(this));
        } catch (RuntimeException refused) {
            return inTurn(CompletableFuture.failedStage(refused), this::closeAsync)
                    .thenCompose(never -> CompletableFuture.failedStage(refused));
        }
    }

    /** Runs the second after the first has ended, even with a failure; fails as the first that fails. */
    static CompletionStage<Void> inTurn(CompletionStage<Void> first, Supplier<CompletionStage<Void>> second) {
        return first.handle((done, reason) -> second.get()
                        .thenCompose(closed -> reason == null
                                ? CompletableFuture.<Void>completedStage(null)
                                : CompletableFuture.<Void>failedStage(reason)))
                .thenCompose(end -> end);
    }

    CompletionStage<Void> closeAsync() {
        return queue.closeAsync()
                .thenCompose(done -> completions.closeAsync())
                .thenCompose(done -> region.closeAsync())
                .thenCompose(done -> memory.closeAsync());
    }
}
