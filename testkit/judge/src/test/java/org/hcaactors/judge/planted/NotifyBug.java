// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of completion queues that wake a thread. */
public enum NotifyBug implements Planted {
    WAKES_ANOTHER(
            "process-threads.own",
            Another.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).withSeeds(40)),
    LOSES_WHAT_COMES_WHILE_IT_RUNS(
            Patch.without("waiter-machine.reached", "waiter-machine.keep"),
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    WAKES_TWICE(
            "waiter-machine.reached",
            Again.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    INTERRUPTS_NOBODY_WHERE_IT_IS_GONE(
            Patch.without("waiter-actor.interrupt-channel", "ifPresent"),
            Hunt.of(WorkloadKind.AS_NOTIFY).withSeeds(40)),
    WAKES_WHO_IS_GONE(
            "waiter-machine.outcome",
            Ghosts.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    NOTIFIES_UNARMED(
            "notification.written",
            Always.class,
            Hunt.of(WorkloadKind.REQUESTER_REGION_LOSS).under(Swarm.WIRE)),
    ENDS_IN_SILENCE(
            Patch.without("waiter-machine.end", "waiter-machine.interrupted"),
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    NOTIFIES_THOUGH_IT_WAITS_FOR_NOTHING(
            Patch.withoutSetting("waiter-machine.interrupted", "waiter-machine.state"),
            Hunt.of(WorkloadKind.AS_NOTIFY));

    private final Bug bug;

    NotifyBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    NotifyBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    /** Of the process, whoever came first. */
    static final class Another {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("process-threads.open") Set<WaiterHandle> open,
                @Advice.Return(readOnly = false) WaiterHandle thread) {
            thread = open.iterator().next();
        }
    }

    /** Woken, and kept besides. */
    static final class Again {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WakeCause cause,
                @MarkedField(value = "waiter-machine.kept", readOnly = false) Optional<WakeCause> kept) {
            kept = Optional.of(cause);
        }
    }

    static final class Ghosts {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("waiter-machine.state") Waiter.State state,
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
