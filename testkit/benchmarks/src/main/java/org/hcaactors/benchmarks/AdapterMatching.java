// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** The adapter matches tags and writes the data to its place. */
final class AdapterMatching implements Matching {
    private final CompletionQueue completions;
    private final TagSharedReceiveQueue queue;
    private final TagAdd[] ours;

    AdapterMatching(RdmaNetwork network, Side memory, int others) {
        int all = others + WINDOW;
        completions = network.await(memory.context().createCq(4 * WINDOW));
        queue = network.await(memory.domain()
                .createSrq(SrqDescription.DEFAULT.withTagMatching(
                        TagMatching.of(completions).withMaxTags(all).withMaxOperations(2 * all))));
        for (int i = 0; i < others; i++) {
            queue.add(TagAdd.of(WINDOW + i, receive(memory, 0), TAG + 1 + i));
        }
        // An unsignaled operation frees its slot with the next signaled one: one per round is signaled.
        ours = IntStream.range(0, WINDOW)
                .mapToObj(i -> TagAdd.of(i, receive(memory, i), TAG))
                .map(add -> add.receive().id() == 0 ? add.withSignaled() : add)
                .toArray(TagAdd[]::new);
        for (TagAdd each : ours) {
            queue.add(each);
        }
        TagSnapshot now = network.await(queue.queryTags());
        if (now.tags() != all || now.notMatching() != 0) {
            throw new IllegalStateException("the queue has " + now + " instead of " + all + " matching tags");
        }
    }

    private static Receive receive(Side memory, int number) {
        return Receive.of(number, memory.slice((long) number * BYTES, BYTES));
    }

    @Override
    public SharedReceiveQueue queue() {
        return queue;
    }

    @Override
    public CompletionQueue completions() {
        return completions;
    }

    @Override
    public boolean ended(WorkCompletion completion) {
        if (completion.kind() != CompletionKind.TM_RECV) {
            return false;
        }
        queue.add(ours[(int) completion.workId()]);
        return true;
    }
}
