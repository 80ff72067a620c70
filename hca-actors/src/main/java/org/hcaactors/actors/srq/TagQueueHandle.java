// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;

/**
 * Handle of a tag-matching shared receive queue.
 *
 * @param queue the handle used by queue pairs
 */
public record TagQueueHandle(SharedReceiveHandle queue, int maxSge)
        implements TagSharedReceiveQueue, ActorHandle, PageHolder {
    private static final int MAX_HANDLED = 0xFFFF;

    @Override
    public int maxTags() {
        return queue.tags().slots().places();
    }

    @Override
    public int maxOperations() {
        return queue.tags().slots().operations();
    }

    // rule tag-list-full
    @Override
    public TagHandle add(TagAdd operation) {
        int elements = operation.receive().local().size();
        if (elements > maxSge) {
            throw VerbsException.invalid(
                    "the receive has " + elements + " elements; a tag list allows at most " + maxSge);
        }
        return new TagHandle(number(), post(operation));
    }

    @Override
    public void delete(TagDelete operation) {
        if (operation.receive().queue() != number()) {
            throw VerbsException.invalid("the receive belongs to shared receive queue "
                    + operation.receive().queue() + ", not to " + describe());
        }
        post(operation);
    }

    @Override
    public void sync(TagSync operation) {
        post(operation);
    }

    // rule tag-operations-full
    private long post(TagOperation operation) {
        queue.checkOpen();
        queue.verbs().check(Verb.POST_SRQ_OPS, queue.commandSender());
        int handled = operation.handled().orElse(0);
        if (handled < 0 || handled > MAX_HANDLED) {
            throw VerbsException.invalid(
                    "the number of handled unexpected messages is " + handled + "; 0 to 65535 is allowed");
        }
        return queue.tags().execute(operation);
    }

    @Override
    public CompletionStage<TagSnapshot> queryTags() {
        return queue.verbs()
                .begin(
                        Verb.QUERY_SRQ,
                        queue.commandSender(),
                        () -> queue.commandSender().ask(SharedReceiveActor.QueryTags::new));
    }

    @Override
    public CompletionStage<Void> ended() {
        return queue.commandSender().ask(SharedReceiveActor.AwaitEnd::new);
    }

    @Override
    public int shard() {
        return queue.shard();
    }

    @Override
    public int number() {
        return queue.number();
    }

    @Override
    public SrqCapacity capacity() {
        return queue.capacity();
    }

    @Override
    public PageLayout pages() {
        return queue.pages();
    }

    @Override
    public AllocatedPages buffer() {
        return queue.buffer();
    }

    @Override
    public void postReceive(Receive receive) {
        queue.postReceive(receive);
    }

    @Override
    public void postReceive(List<Receive> receives) {
        queue.postReceive(receives);
    }

    @Override
    public CompletionStage<Void> armLimit(int limit) {
        return queue.armLimit(limit);
    }

    @Override
    public CompletionStage<Void> resize(int maxWr) {
        return queue.resize(maxWr);
    }

    @Override
    public CompletionStage<SrqSnapshot> query() {
        return queue.query();
    }

    @Override
    public CompletionStage<Void> destroy() {
        return queue.destroy();
    }

    @Override
    public CommandSender<?> commandSender() {
        return queue.commandSender();
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
