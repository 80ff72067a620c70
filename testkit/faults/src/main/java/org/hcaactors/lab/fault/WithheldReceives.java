// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.function.BooleanSupplier;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Receives that are withheld from some messages, even if they are posted. */
final class WithheldReceives implements Receives {
    private final Receives receives;
    private final BooleanSupplier isWithheld;

    /** The latest message without a receive was caused by withholding. */
    private boolean starved;

    /** @param isWithheld called once for each message that needs a receive */
    WithheldReceives(Receives receives, BooleanSupplier isWithheld) {
        this.receives = receives;
        this.isWithheld = isWithheld;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        starved = isWithheld.getAsBoolean();
        return starved ? Supply.EMPTY : receives.supply(first, turn);
    }

    @Override
    public void messageContinues(Turn turn) {
        receives.messageContinues(turn);
    }

    @Override
    public int skipped(Packet packet) {
        return receives.skipped(packet);
    }

    @Override
    public NoReceive whyEmpty() {
        return starved ? NoReceive.STARVED : receives.whyEmpty();
    }

    @Override
    public boolean hasNext() {
        return receives.hasNext();
    }

    @Override
    public Receive next() {
        return receives.next();
    }

    @Override
    public void take() {
        receives.take();
    }

    @Override
    public boolean takesBack() {
        return receives.takesBack();
    }

    @Override
    public void takeBack(Receive receive) {
        receives.takeBack(receive);
    }

    @Override
    public void abandon(Receive receive, Turn turn) {
        receives.abandon(receive, turn);
    }

    @Override
    public LocalMemory memory() {
        return receives.memory();
    }

    @Override
    public void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        receives.completed(completion, solicited, inlineData, turn);
    }
}
