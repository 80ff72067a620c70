// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.fabric.flow.FabricEvent;

/**
 * The adapter's streams as Pekko sources, which request one element for each pull and none in advance.
 *
 * <p>Threads: any. Limits: those of the underlying stream.
 */
public final class Sources {
    private Sources() {}

    public static Source<WorkCompletion, NotUsed> completions(CompletionQueue queue) {
        return Source.fromGraph(new PolledSource<>(queue.completions()));
    }

    public static Source<CompletionQueue, NotUsed> wakeups(CompletionChannel channel) {
        return Source.fromGraph(new PolledSource<>(channel.wakeups()));
    }

    public static Source<WakeCause, NotUsed> wakeups(Waiter waiter) {
        return Source.fromGraph(new PolledSource<>(waiter.wakeups()));
    }

    public static Source<AsyncEvent, NotUsed> asyncEvents(DeviceContext context) {
        return Source.fromGraph(new PolledSource<>(context.asyncEvents()));
    }

    /** Requests for connections; completes when the listener is closed. */
    public static Source<ConnectionRequest, NotUsed> requests(ConnectionListener listener) {
        return of(listener.requests());
    }

    /** Any stream of the API, such as the messages of a channel. */
    public static <T> Source<T, NotUsed> of(Flow.Publisher<T> publisher) {
        return Source.fromGraph(new PolledSource<>(publisher));
    }

    public static Source<FabricEvent, NotUsed> events(FabricWatch watch) {
        return Source.fromGraph(new PolledSource<>(watch.events()));
    }
}
