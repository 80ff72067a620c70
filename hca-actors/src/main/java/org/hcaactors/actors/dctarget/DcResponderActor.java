// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.queue.OwnedQueuePairCommand;
import org.hcaactors.actors.queue.QpTrace;
import org.hcaactors.actors.queue.QueuePairCore;
import org.hcaactors.actors.queue.QueuePairInput;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.time.ActorTimer;

// rule dc-responder
/** Actor of a DC target's responder for one peer: a queue pair to which no program posts. A crash moves it to ERR. */
final class DcResponderActor implements CrashAware<OwnedQueuePairCommand>, Audited {
    /** Listener for the end of a responder's session; called once, on the responder's thread. */
    interface SessionEnd {
        /**
         * @param expectedPsn PSN after the last executed request
         * @param disconnected the peer sent a DISCONNECT
         */
        void ended(int expectedPsn, boolean disconnected);
    }

    private final Services services;
    private final SessionEnd end;
    private final QueuePairCore core;
    private boolean ended;

    private DcResponderActor(
            ActorContext<OwnedQueuePairCommand> context,
            DcTargetBlueprint target,
            int number,
            QpPlan.Session session,
            SessionEnd end,
            Services services) {
        this.services = services;
        this.end = end;
        core = QueuePairCore.owned(
                number,
                receives -> target.plan(number, receives, session, services),
                target.links().owned(),
                context.getSelf().narrow(),
                new ActorTimer<>(context, QueuePairInput.Note.DUE),
                services);
    }

    /**
     * @param number number of the target
     * @param end is called when the session ends
     */
    static Behavior<OwnedQueuePairCommand> create(
            DcTargetBlueprint target, int number, QpPlan.Session session, SessionEnd end, Services services) {
        return CrashSupervisor.create(new Reply<Void>(services.callers()), context -> {
            DcResponderActor made = new DcResponderActor(context, target, number, session, end, services);
            made.core.attach(made, AllocatedPages.NONE);
            return made;
        });
    }

    @Override
    public Behavior<OwnedQueuePairCommand> on(OwnedQueuePairCommand command) {
        core.begin();
        switch (command) {
            case QueuePairInput input -> core.take(input);
            case OwnedQueuePairCommand.BringUp up -> bringUp(up);
            case OwnedQueuePairCommand.Note.YIELD ->
                core.machine().halves().target().yields();
            case OwnedQueuePairCommand.Note.END -> {
                core.flush();
                core.drop();
                return Behaviors.stopped();
            }
        }
        core.end();
        reportEnd();
        return Behaviors.same();
    }

    /** If the responder crashed meanwhile, its target has already been notified of its end. */
    private void bringUp(OwnedQueuePairCommand.BringUp up) {
        if (core.machine().state() != QpState.ERR) {
            core.machine().apply(up.step(), core.turn());
            QpTrace.modified(core.plan(), up.step(), services.trace());
        }
    }

    /** Reports the end of a responder in error, once; its target destroys it. */
    private void reportEnd() {
        if (!ended && core.machine().state() == QpState.ERR) {
            ended = true;
            end.ended(
                    core.machine().snapshot().receivePsn(),
                    core.machine().report().wasDisconnected());
        }
    }

    // rule event-crash
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        VerbsException answer = core.crashed(message, crash);
        reportEnd();
        return answer;
    }

    @Override
    public Behavior<OwnedQueuePairCommand> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            core.disarm();
            CrashSupervisor.attempt(core::drop);
            CrashSupervisor.attempt(() -> services.audit().closed(this));
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    @Override
    public ResourceSnapshot snapshot() {
        return core.snapshot(0, new ResourceSnapshot.Slots(0, 0));
    }
}
