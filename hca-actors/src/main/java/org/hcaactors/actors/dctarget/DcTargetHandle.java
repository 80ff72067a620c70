// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;

/** Handle of a DC target. */
public final class DcTargetHandle implements DcTarget, ActorHandle {
    private final DcTargetBlueprint blueprint;
    private final int number;
    private final Services services;
    private final CommandSender<DcTargetActor.Command> commandSender;
    private volatile QpState state = QpState.RESET;
    private volatile boolean made;

    DcTargetHandle(
            DcTargetBlueprint blueprint,
            int number,
            Services services,
            CommandSender<DcTargetActor.Command> commandSender) {
        this.blueprint = blueprint;
        this.number = number;
        this.services = services;
        this.commandSender = commandSender;
    }

    /** Called by the target's actor when it has entered a state. */
    void entered(QpState now) {
        made |= now == QpState.RTR || now == QpState.ERR;
        state = now;
    }

    // rule dc-target-number
    @Override
    public int number() {
        if (!made) {
            throw VerbsException.invalid("a DC target in " + state + " has no number; modify it to RTR first");
        }
        return number;
    }

    @Override
    public Gid gid() {
        return services.port().gid();
    }

    @Override
    public QpState state() {
        return state;
    }

    @Override
    public DcAccessKey accessKey() {
        return blueprint.requested().accessKey();
    }

    @Override
    public CompletionStage<Void> modify(QpModify change) {
        return verbs().begin(
                        Verb.MODIFY_QP,
                        commandSender,
                        () -> commandSender.ask(reply -> new DcTargetActor.Modify(change, reply)));
    }

    @Override
    public CompletionStage<QpSnapshot> query() {
        return verbs().begin(Verb.QUERY_QP, commandSender, () -> commandSender.ask(DcTargetActor.Query::new));
    }

    // rule dc-drain
    @Override
    public CompletionStage<DcTargetStatus> status() {
        return verbs().begin(
                        Verb.QUERY_QP, commandSender, () -> commandSender.askWhileClosing(DcTargetActor.Status::new));
    }

    @Override
    public CompletionStage<Void> armKeyViolation() {
        return verbs().begin(Verb.ARM_DCT, commandSender, () -> commandSender.ask(DcTargetActor.Arm::new));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs().begin(Verb.DESTROY_QP, commandSender, () -> commandSender.close(DcTargetActor.Destroy::new));
    }

    private VerbCalls verbs() {
        return blueprint.links().events().verbs();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return destroy();
    }

    @Override
    public CommandSender<DcTargetActor.Command> commandSender() {
        return commandSender;
    }

    @Override
    public String describe() {
        return "DC target " + (made ? number + " " : "") + "in " + state;
    }

    @Override
    public String toString() {
        return "DC target of " + services.adapter();
    }
}
