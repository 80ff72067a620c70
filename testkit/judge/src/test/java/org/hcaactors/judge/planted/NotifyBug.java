// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;

/** Bugs of completion queues that wake a thread. */
public enum NotifyBug implements Planted {
    WAKES_ANOTHER(new Patch("device.ProcessThreads", "own", Another.class)),
    LOSES_WHAT_COMES_WHILE_IT_RUNS(Patch.without("notify.WaiterMachine", "reached", "keep")),
    WAKES_TWICE(new Patch("notify.WaiterMachine", "reached", Again.class)),
    INTERRUPTS_NOBODY_WHERE_IT_IS_GONE(Patch.without("notify.WaiterActor", "interruptChannel", "ifPresent")),
    WAKES_WHO_IS_GONE(new Patch("notify.WaiterMachine", "outcome", Ghosts.class)),
    NOTIFIES_UNARMED(new Patch("completion.Notification", "written", Always.class)),
    ENDS_IN_SILENCE(Patch.without("notify.WaiterMachine", "end", "interrupted")),
    NOTIFIES_THOUGH_IT_WAITS_FOR_NOTHING(Patch.withoutSetting("notify.WaiterMachine", "interrupted", "state"));

    private final Patch patch;

    NotifyBug(Patch patch) {
        this.patch = patch;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
    }

    /** Of the process, whoever came first. */
    static final class Another {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("open") Set<WaiterHandle> open,
                @Advice.Return(readOnly = false) WaiterHandle thread) {
            thread = open.iterator().next();
        }
    }

    /** Woken, and kept besides. */
    static final class Again {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WakeCause cause,
                @Advice.FieldValue(value = "kept", readOnly = false) Optional<WakeCause> kept) {
            kept = Optional.of(cause);
        }
    }

    static final class Ghosts {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("state") Waiter.State state,
                @Advice.Return(readOnly = false) NotifyOutcome outcome) {
            outcome = state == Waiter.State.GONE ? NotifyOutcome.LATCHED : outcome;
        }
    }

    static final class Always {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean due) {
            due = true;
        }
    }
}
