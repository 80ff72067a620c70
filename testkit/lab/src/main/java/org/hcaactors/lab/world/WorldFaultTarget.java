// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.lab.fault.CrashCommand;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.fault.FaultTarget;
import org.hcaactors.lab.fault.GuardedVerbs;
import org.hcaactors.lab.fault.ReceiveWithholder;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.network.RdmaNetwork;

/**
 * A world as the target of its faults.
 *
 * @param notes records deliberate actions in the trace
 */
record WorldFaultTarget(
        RdmaNetwork network,
        WorldCore core,
        ActorSystem<Void> system,
        ReceiveWithholder receiveWithholder,
        ResourceLedger ledger,
        GuardedVerbs verbs,
        Notes notes)
        implements FaultTarget {
    /** Records a deliberate action on a part of an adapter. */
    @FunctionalInterface
    interface Notes {
        void tell(String port, String element, String what);
    }

    @Override
    public List<String> elements(String adapter) {
        return core.isOver() ? List.of() : new ActorRegistry(system).of(adapter);
    }

    @Override
    public long now() {
        return core.now();
    }

    @Override
    public void after(long nanos, Runnable action) {
        core.after(nanos, action);
    }

    @Override
    public void beforeTimePasses(Runnable action) {
        core.beforeTimePasses(action);
    }

    @Override
    public long made() {
        return ledger.made();
    }

    @Override
    public void tell(String port, String element, String what) {
        notes.tell(port, element, what);
    }

    @Override
    public void withholdReceives(String adapter, int queuePair, int messages, Runnable struck) {
        receiveWithholder.withhold(adapter, queuePair, messages, struck);
    }

    @Override
    public void guardVerbs(VerbGuard rule) {
        verbs.setGuard(rule);
    }

    @Override
    public Runnable pausePrograms(String host, Runnable held) {
        return core.hosts().pause(host, held);
    }

    @Override
    public Runnable slowPrograms(String host, LongSupplier nanos, Runnable slowed) {
        return core.hosts().slow(host, nanos, slowed);
    }

    @Override
    public void crash(CrashTarget victim) {
        if (!core.isOver()) {
            CrashCommand.crash(system, victim);
        }
    }

    @Override
    public Runnable interceptMessages(MessageRule rule) {
        core.post().add(rule);
        return () -> core.post().end(rule);
    }
}
