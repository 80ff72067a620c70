// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * Services of a network, used by all its adapters.
 *
 * @param fabric carries packets
 * @param clock in nanoseconds, the only source of time
 * @param trace receives events
 * @param shards dispatchers of the adapter's actors, and of subscribers that do not block
 * @param receivesGuard interceptor between queue pairs and their receives
 * @param verbGuard may refuse verbs before they begin
 * @param packetLifetimeNanos maximum lifetime of a packet
 * @param verbsTakeTime verbs and wake-ups take the times of the profiles
 * @param names resolves names of hosts
 * @param hasCable packets of other networks arrive, too, whose senders may exceed the windows of their transports
 */
public record NetworkServices(
        FabricReference fabric,
        LongSupplier clock,
        TraceSink trace,
        Callers callers,
        Shards shards,
        ReceivesInterceptor receivesGuard,
        VerbGuard verbGuard,
        long packetLifetimeNanos,
        boolean verbsTakeTime,
        Function<String, Optional<InetAddress>> names,
        boolean hasCable) {
    public NetworkServices with(Callers of) {
        return new NetworkServices(
                fabric,
                clock,
                trace,
                of,
                shards,
                receivesGuard,
                verbGuard,
                packetLifetimeNanos,
                verbsTakeTime,
                names,
                hasCable);
    }
}
