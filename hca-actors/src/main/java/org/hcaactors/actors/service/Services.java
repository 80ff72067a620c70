// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.counter.PagingStats;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.adapter.service.NotifyUnit;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.mutation.MutationPoint;

/**
 * What every object of one adapter uses, or of one process on it.
 *
 * @param adapter its name, which is its port's, too
 * @param profile what it can do
 * @param atomics where it carries them out
 * @param counters of its port
 * @param paging what it counts of pages
 * @param trace where its objects tell what they do
 * @param health whether it still does what it is told
 * @param notifyUnit of its host
 * @param responders of its dynamically connected targets
 */
public record Services(
        String adapter,
        Profile profile,
        LocalPort port,
        AtomicUnit atomics,
        PortCounters counters,
        PagingStats paging,
        AdapterTrace trace,
        DeviceHealth health,
        NotifyUnit notifyUnit,
        ResponderPool responders,
        NetworkServices network) {
    public static Services of(
            String adapter, Profile profile, LocalPort port, AtomicUnit atomics, NetworkServices network) {
        AdapterTrace trace = new AdapterTrace(network.trace(), network.clock(), adapter);
        return new Services(
                adapter,
                profile,
                port,
                atomics,
                new PortCounters(),
                new PagingStats(),
                trace,
                new DeviceHealth(adapter),
                new NotifyUnit(),
                responders(profile),
                network);
    }

    // rule firmware-restart
    /**
     * The same port and the same host, whose driver goes on counting, and an adapter that has just started.
     *
     * @param as what it can do from now on
     * @param unit of its atomics
     */
    @MutationPoint("services.restarted")
    public Services restarted(Profile as, AtomicUnit unit) {
        return new Services(
                adapter,
                as,
                port,
                unit,
                counters,
                paging,
                trace,
                new DeviceHealth(adapter),
                notifyUnit,
                respondersOf(as),
                network);
    }

    // rule completion-killed
    /** For what a process makes. */
    public Services ofProcess(BooleanSupplier isKilled) {
        return new Services(
                adapter,
                profile,
                port,
                atomics,
                counters,
                paging,
                trace,
                health,
                notifyUnit,
                responders,
                network.with(network.callers().of(isKilled)));
    }

    // rule dc-pool
    /** Their sessions go on being counted: what is late for one of before finds none. */
    private ResponderPool respondersOf(Profile as) {
        boolean isAsMany = as.dynamicallyConnected().responders()
                == profile.dynamicallyConnected().responders();
        return isAsMany ? responders : responders(as);
    }

    private static ResponderPool responders(Profile profile) {
        return new ResponderPool(profile.dynamicallyConnected().responders());
    }

    /** No packet is under way for longer. */
    public long packetLifetimeNanos() {
        return network.packetLifetimeNanos();
    }

    // rules memory-verb-times, notify-times
    /** How long that takes, in nanoseconds; 0 in production. */
    public long nanos(VerbTimes.Step step) {
        return network.verbsTakeTime() ? profile.times().nanos(step) : 0;
    }

    public FabricReference fabric() {
        return network.fabric();
    }

    public LongSupplier clock() {
        return network.clock();
    }

    public Callers callers() {
        return network.callers();
    }

    public Shards shards() {
        return network.shards();
    }

    public ReceivesInterceptor receivesGuard() {
        return network.receivesGuard();
    }

    public VerbGuard verbGuard() {
        return network.verbGuard();
    }

    public ResourceAudit audit() {
        return network.callers().audit();
    }
}
