// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.window.WindowBugs;

/** Bugs of memory windows. */
public enum WindowBug implements Planted {
    SERVES_EVERY_QUEUE_PAIR("window.BoundWindow", "foreigner", Wrongs.FindsNothing.class),
    INVALIDATES_NOTHING("window.BoundWindow", "invalidate", WindowBugs.InvalidatesNothing.class),
    BINDS_WHAT_IS_BOUND("window.BoundWindow", "rebind", WindowBugs.BindsWhatIsBound.class),
    A_ZERO_BASED_WINDOW_IS_OFF_BY_EIGHT("window.BoundWindow", "behind", WindowBugs.IsOffByEight.class),
    GIVES_EVERY_RANGE("window.WindowLease", "covers", Wrongs.SaysYes.class);

    private final Patch patch;

    WindowBug(String type, String method, Class<?> advice) {
        patch = new Patch(type, method, advice);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
    }
}
