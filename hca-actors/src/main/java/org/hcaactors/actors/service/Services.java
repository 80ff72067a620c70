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
import org.hcaactors.adapter.service.ObjectLimits;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.mutation.MutationPoint;

/**
 * Services of one adapter, or of one process on it, used by its objects.
 *
 * @param adapter name of the adapter and of its port
 * @param profile of the adapter
 * @param atomics executes atomics
 * @param counters of its port
 * @param paging counters of page faults
 * @param trace records the events of its objects
 * @param health whether the adapter is in error
 * @param notifyUnit of its host
 * @param responders of its DC targets
 * @param limits numbers of its objects in use
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
        ObjectLimits limits,
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
                new ObjectLimits(profile.objects()),
                network);
    }

    // rule firmware-restart
    /**
     * Returns the services after a restart: the port, the host and its counters stay, the adapter is new.
     *
     * @param as new profile
     * @param unit executes its atomics
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
                new ObjectLimits(as.objects()),
                network);
    }

    // rule completion-killed
    /** Returns the services for objects of a process. */
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
                limits,
                network.with(network.callers().of(isKilled)));
    }

    // rule dc-pool
    /** Session numbers continue if the pool has the same size, so that late packets of earlier sessions match none. */
    private ResponderPool respondersOf(Profile as) {
        boolean isAsMany = as.dynamicallyConnected().responders()
                == profile.dynamicallyConnected().responders();
        return isAsMany ? responders : responders(as);
    }

    private static ResponderPool responders(Profile profile) {
        return new ResponderPool(profile.dynamicallyConnected().responders());
    }

    /** Returns the maximum lifetime of a packet. */
    public long packetLifetimeNanos() {
        return network.packetLifetimeNanos();
    }

    // rules memory-verb-times, notify-times
    /** Returns the duration of that step in nanoseconds; 0 in production. */
    public long nanos(VerbTimes.Step step) {
        return network.verbsTakeTime() ? profile.times().nanos(step) : 0;
    }

    /** True if packets of other networks arrive, too. */
    public boolean hasCable() {
        return network.hasCable();
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
