// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receives are posted, but messages do not get them. */
class WithheldReceivesTest {
    private static final Duration LONG = Duration.ofSeconds(1);

    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, World.DEFAULT_LINK);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, World.DEFAULT_LINK);

    @AfterEach
    void close() {
        world.close();
    }

    private List<WorkCompletion> receivedAfterThree(Transport transport, int withheld) {
        Ends<?> ends = transport.between(world.network(), a, b, Shape.DEFAULT);
        End to = ends.b();
        for (int i = 0; i < 3; i++) {
            to.postReceive(Receive.of(i, to.slice(4096L * i, to.transport().headroomBytes() + 64)));
        }
        world.settle();
        world.faults().now().answerRnr(b, to.receiver(), withheld);
        for (int i = 1; i <= 3; i++) {
            ends.a().post(Send.of(i, ends.a().slice(0, i)));
        }
        world.runToQuiet(LONG);
        return world.await(to.recvCq().poll(4));
    }

    private List<NoReceive> told() {
        return world.trace().events().stream()
                .<Object>map(event -> switch (event) {
                    case HcaEvent.Failed failed -> failed.reason();
                    case HcaEvent.Discarded discarded -> discarded.reason();
                    default -> "something else";
                })
                .filter(NoReceive.class::isInstance)
                .map(NoReceive.class::cast)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void withheldReceivesAreMissedAndTheTraceNamesTheFault(Transport transport) {
        List<WorkCompletion> received = receivedAfterThree(transport, 2);
        boolean sendsAgain = transport != Transport.UC && transport != Transport.UD;
        assertThat(received).hasSize(sendsAgain ? 3 : 1).allMatch(WorkCompletion::isSuccess);
        assertThat(b.counters()).containsEntry("out_of_buffer", 2L);
        assertThat(told()).containsExactly(NoReceive.STARVED, NoReceive.STARVED);
    }

    @Test
    void anUnknownQueuePairWithholdsNoReceives() {
        world.faults().arm(new Fault.WithholdReceives(Duration.ZERO, "b", 0x777, 2));
        assertThat(receivedAfterThree(Transport.UC, 1))
                .as("but to the one that is there")
                .hasSize(2);
    }
}
