// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.counter.Counters;
import org.hcaactors.adapter.event.EventSink;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.memory.AddressSpace;
import org.hcaactors.adapter.memory.KeyDirectory;
import org.hcaactors.adapter.srq.SharedReceiveHandle;
import org.hcaactors.adapter.stage.Waiting;
import org.hcaactors.fabric.link.FabricActor;

/**
 * What a queue pair lives among.
 *
 * @param fabric carries its packets
 * @param directory finds translators
 * @param sendCq takes its send completions
 * @param recvCq takes its receive completions
 * @param srq where its receives come from, if not from a queue of its own
 * @param events takes its asynchronous events
 * @param counters of its port
 * @param callers where stages complete
 * @param waiting how its callers wait
 * @param space of its process
 */
public record Surroundings(
        ActorRef<FabricActor.Command> fabric,
        KeyDirectory directory,
        CompletionQueueHandle sendCq,
        CompletionQueueHandle recvCq,
        Optional<SharedReceiveHandle> srq,
        EventSink events,
        Counters counters,
        AdapterTrace trace,
        LongSupplier clock,
        Executor callers,
        Waiting waiting,
        AddressSpace space) {}
