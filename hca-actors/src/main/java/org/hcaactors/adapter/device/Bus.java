// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.device;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.stage.Waiting;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.FabricActor;

/**
 * What every adapter of a network is plugged into.
 *
 * @param clock nanoseconds, the only time there is
 * @param callers where stages complete and refused subscribers are told
 * @param waiting how they wait
 * @param shard where the adapter's actors run
 * @param callerDispatcher where subscriptions run by default
 */
public record Bus(
        ActorRef<FabricActor.Command> fabric,
        LongSupplier clock,
        TraceSink trace,
        Executor callers,
        Waiting waiting,
        DispatcherSelector shard,
        DispatcherSelector callerDispatcher) {}
