// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Test;

/** Reports of a session's end at its target. */
class DcSessionEndsTest {
    private static List<HcaEvent.SessionChanged> closed(World world) {
        return world.trace()
                .of(HcaEvent.SessionChanged.class)
                .filter(step -> step.step() == SessionStep.CLOSED)
                .toList();
    }

    private static DcSetup.InitiatorSide sent(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        DcSetup.InitiatorSide initiator = ground.initiator(world.adapter("a"));
        asked.receive(1, 64);
        assertThat(initiator
                        .submit(initiator.to(asked), Send.of(1, initiator.slice(0, 8)))
                        .isSuccess())
                .isTrue();
        return initiator;
    }

    // rule dc-disconnect
    @Test
    void anEndedSessionIsReportedAsClosed() {
        try (World world = World.of(7)) {
            DcSetup.InitiatorSide initiator = sent(world);
            assertThat(closed(world)).isEmpty();
            world.runFor(Duration.ofMillis(1));
            HcaEvent.SessionChanged opened = world.trace()
                    .of(HcaEvent.SessionChanged.class)
                    .filter(step -> step.step() == SessionStep.OPENED)
                    .findFirst()
                    .orElseThrow();
            assertThat(closed(world)).singleElement().satisfies(end -> {
                assertThat(end.session()).isEqualTo(opened.session());
                assertThat(end.peer()).isEqualTo(opened.peer()).isEqualTo(initiator.initiator.number());
                assertThat(end.at()).isEqualTo(opened.at());
            });
        }
    }

    // rule dc-disconnect
    @Test
    void aDisconnectedSessionIsNotShownAsAnError() {
        try (World world = World.of(7)) {
            sent(world);
            world.runFor(Duration.ofMillis(1));
            assertThat(Ladder.of(world.trace().events()))
                    .anyMatch(line -> line.endsWith("ends its session: its peer disconnected"))
                    .noneMatch(line -> line.contains("to ERR"));
        }
    }

    // rules dc-disconnect, dc-reclaim
    @Test
    void aDestroyedOrResetInitiatorSendsNoDisconnect() {
        List<Function<DcInitiator, CompletionStage<?>>> ends =
                List.of(DcInitiator::destroy, initiator -> initiator.modify(QpModify.to(QpState.RESET)));
        for (Function<DcInitiator, CompletionStage<?>> end : ends) {
            try (World world = World.of(7)) {
                DcSetup.InitiatorSide initiator = sent(world);
                world.await(end.apply(initiator.initiator));
                world.runFor(Duration.ofMillis(1));
                assertThat(world.trace().of(FabricEvent.Sent.class))
                        .noneMatch(sent -> sent.packet().operation() == Operation.DISCONNECT);
                assertThat(closed(world)).isEmpty();
                world.runFor(Duration.ofSeconds(17));
                assertThat(closed(world)).hasSize(1);
            }
        }
    }
}
