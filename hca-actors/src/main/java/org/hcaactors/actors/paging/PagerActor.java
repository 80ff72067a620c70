// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.paging;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.paging.FaultUnit;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.time.ActorTimer;

/** Actor of an adapter's pager. Created for the first on-demand region. */
public final class PagerActor implements CrashAware<PagerActor.Command> {
    /** Commands of a pager. */
    public sealed interface Command {}

    public record Execute(PagingCommand command) implements Command {}

    private enum Due implements Command {
        NOW
    }

    private final Services services;
    private final FaultUnit unit;
    private final ActorTimer<Command> alarm;
    private final Audited audited = this::snapshot;

    private PagerActor(ActorContext<Command> context, PageLatency latency, Services services) {
        this.services = services;
        unit = new FaultUnit(latency, new PagingTrace(services));
        alarm = new ActorTimer<>(context, Due.NOW);
    }

    public static Behavior<Command> create(PageLatency latency, Services services) {
        return CrashSupervisor.of(context -> {
            PagerActor made = new PagerActor(context, latency, services);
            services.audit().opened(made.audited);
            return made;
        });
    }

    /** Refuses the command that crashed; jobs in progress continue. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        VerbsException reason = new VerbsException(Errno.EIO, "the pager of " + services.adapter() + " crashed", crash);
        if (message instanceof Execute execute) {
            switch (execute.command) {
                case PagingCommand.Serve serve -> serve.listener().served(0, Optional.of(new Denial.Unregistered()));
                case PagingCommand.Verb verb -> verb.reply().fail(reason);
                default -> {}
            }
        }
        return reason;
    }

    @Override
    public Behavior<Command> on(Command command) {
        long now = services.clock().getAsLong();
        try {
            switch (command) {
                case Execute execute -> unit.take(execute.command, now);
                case Due due -> {
                    alarm.fired();
                    unit.timeout(now);
                }
            }
        } finally {
            // Set the timer also after a crash, because other jobs wait.
            alarm.arm(now, unit.nextDeadline());
        }
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            alarm.disarm();
            services.audit().closed(audited);
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private ResourceSnapshot snapshot() {
        return new ResourceSnapshot.Pager(
                services.adapter(),
                unit.ranges(),
                unit.pages(),
                unit.outstanding(),
                services.paging().read());
    }
}
