package org.hcaactors.network;

import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Source;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.fabric.flow.FabricEvent;

/** The adapter's streams as Pekko sources, with an input buffer of one: a source asks for what its stream asks for. */
public final class Sources {
    private Sources() {}

    public static Source<WorkCompletion, NotUsed> completions(CompletionQueue queue) {
        return JavaFlowSupport.Source.<WorkCompletion>fromPublisher(queue.completions())
                .withAttributes(Attributes.inputBuffer(1, 1));
    }

    public static Source<CompletionQueue, NotUsed> wakeups(CompletionChannel channel) {
        return JavaFlowSupport.Source.<CompletionQueue>fromPublisher(channel.wakeups())
                .withAttributes(Attributes.inputBuffer(1, 1));
    }

    public static Source<FabricEvent, NotUsed> events(FabricWatch watch) {
        return JavaFlowSupport.Source.<FabricEvent>fromPublisher(watch.events())
                .withAttributes(Attributes.inputBuffer(1, 1));
    }

    public static Source<AsyncEvent, NotUsed> asyncEvents(DeviceContext context) {
        return JavaFlowSupport.Source.<AsyncEvent>fromPublisher(context.asyncEvents())
                .withAttributes(Attributes.inputBuffer(1, 1));
    }
}
