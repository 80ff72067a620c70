// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.VerbsException;

/** Machine of a thread that one queue notifies, for the tests of other packages; it records its effects as text. */
public final class WokenThread implements WaiterEffects {
    private final WaiterMachine machine = new WaiterMachine("waiter 1");
    private final List<String> told = new ArrayList<>();

    public WokenThread() {
        machine.named(1);
    }

    public State state() {
        return machine.state();
    }

    public List<String> told() {
        return told;
    }

    public void waits() {
        machine.waits(this);
    }

    public NotifyOutcome notified() {
        NotifyOutcome outcome = machine.outcome(true);
        machine.notified(outcome, this);
        return outcome;
    }

    public void end() {
        machine.end(this);
    }

    @Override
    public boolean isSingle() {
        return true;
    }

    @Override
    public void sleep() {
        told.add("sleeps");
    }

    @Override
    public void wake(WakeCause cause) {
        told.add("woken");
    }

    @Override
    public void latch(WakeCause cause) {
        told.add("keeps");
    }

    @Override
    public void fail(VerbsException reason) {
        told.add(reason.errno().name());
    }

    @Override
    public void refuse(VerbsException reason) {
        told.add(reason.errno().name());
    }
}
