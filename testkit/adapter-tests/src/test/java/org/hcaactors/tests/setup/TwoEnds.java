// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.network.RdmaNetwork;

/** Adapters of the two ends of a test, and how the test waits for what they do. */
public interface TwoEnds extends AutoCloseable {
    Adapter a();

    Adapter b();

    /** Returns the network of {@link #a}; it waits for the other one, too. */
    RdmaNetwork network();

    /** Returns attributes of a connection whose retries last as long as answers may be delayed here. */
    RcConnection terms();

    /** Returns how often traffic is repeated that waits for timeouts: less often if time is real. */
    int rounds(int inVirtualTime);

    /** Returns as soon as the assertion holds; it may be called often. */
    void eventually(Runnable assertion);

    /** Returns the events of both adapters so far. */
    <E extends TraceEvent> Stream<E> traced(Class<E> kind);

    default <T> T await(CompletionStage<T> stage) {
        return network().await(stage);
    }

    /** Returns the entries of a queue as soon as there are so many; more if there are more. */
    default List<WorkCompletion> polled(CompletionQueue queue, int count) {
        List<WorkCompletion> all = new ArrayList<>();
        eventually(() -> {
            all.addAll(await(queue.poll(queue.capacity())));
            if (all.size() < count) {
                throw new AssertionError(all.size() + " completions of " + count + ": " + all);
            }
        });
        return all;
    }

    @Override
    void close();
}
