// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.window.WindowBugs;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of memory windows. */
public enum WindowBug implements Planted {
    SERVES_EVERY_QUEUE_PAIR(
            "bound-window.foreigner",
            CommonAdvice.FindsNothing.class,
            Hunt.of(WorkloadKind.WINDOW_TRAFFIC).withSeeds(40)),
    INVALIDATES_NOTHING(
            "bound-window.invalidate", WindowBugs.InvalidatesNothing.class, Hunt.of(WorkloadKind.GID_CHANGES)),
    BINDS_WHAT_IS_BOUND(
            "bound-window.rebind",
            WindowBugs.BindsWhatIsBound.class,
            Hunt.of(WorkloadKind.WINDOW_TRAFFIC).under(Swarm.WIRE)),
    A_ZERO_BASED_WINDOW_IS_OFF_BY_EIGHT(
            "bound-window.behind",
            WindowBugs.IsOffByEight.class,
            Hunt.of(WorkloadKind.WINDOW_TRAFFIC).under(Swarm.WIRE)),
    GIVES_EVERY_RANGE(
            "window-lease.covers",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.WINDOW_TRAFFIC).withSeeds(40));

    private final Bug bug;

    WindowBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
