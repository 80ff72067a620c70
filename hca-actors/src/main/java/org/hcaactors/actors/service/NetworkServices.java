// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.function.LongSupplier;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * What every adapter of a network uses.
 *
 * @param fabric carries packets
 * @param clock nanoseconds, the only time there is
 * @param trace where events go
 * @param shards where the adapter's actors run, and subscriptions that promise not to block
 * @param receivesGuard who stands between queue pairs and their receives
 * @param verbGuard who may refuse verbs before they begin
 * @param packetLifetimeNanos no packet is under way for longer
 * @param verbsTakeTime verbs and wake-ups take the time that profiles say
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
        boolean verbsTakeTime) {
    public NetworkServices with(Callers of) {
        return new NetworkServices(
                fabric, clock, trace, of, shards, receivesGuard, verbGuard, packetLifetimeNanos, verbsTakeTime);
    }
}
