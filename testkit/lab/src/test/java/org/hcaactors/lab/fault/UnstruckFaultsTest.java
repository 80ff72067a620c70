// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.views.flow.TestkitEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fault counts as struck only once it has affected something. */
class UnstruckFaultsTest extends StruckPair {
    private static final Duration AT = Duration.ofNanos(1000);
    private static final int NOBODY = 99;

    static List<Fault> faultsOfNobody() {
        return List.of(
                new Fault.WithholdReceives(AT, "b", NOBODY, 1),
                new Fault.EndWaiter(AT, "b", NOBODY),
                new Fault.StallSubscriber(AT, "b", NOBODY, AT),
                new Fault.Kill(AT, "b", "nobody"),
                new Fault.Evict(AT, "b", "nobody", 0, Long.MAX_VALUE),
                new Fault.LoseWakeup("b", NOBODY, new Trigger.Always()),
                new Fault.Crash(AT, new CrashTarget.QueuePairOf("b", NOBODY)),
                new Fault.Crash(AT, new CrashTarget.CompletionQueueOf("b", NOBODY)),
                new Fault.Crash(AT, new CrashTarget.SharedReceivesOf("b", NOBODY)),
                new Fault.Crash(AT, new CrashTarget.TranslatorOf("b", NOBODY << Byte.SIZE)));
    }

    private void isUnstruck(Fault fault) {
        assertThat(world.faults().unstruck()).containsExactly(fault);
        assertThat(world.faults().firings()).isEmpty();
        assertThat(world.faults().fired()).isEqualTo(FaultPlan.NONE);
        assertThat(world.faults().struck()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faultsOfNobody")
    void aFaultWithoutTargetIsUnstruck(Fault fault) {
        world.faults().arm(fault);
        assertThat(write(64).isSuccess()).isTrue();
        world.runFor(Duration.ofMillis(1));
        isUnstruck(fault);
        assertThat(world.network().processes(b))
                .as("no process is created for the fault")
                .doesNotContain("nobody");
    }

    @Test
    void aFaultWithoutTargetIsReportedInTheTrace() {
        world.faults().arm(new Fault.Kill(AT, "b", "nobody"));
        world.runFor(Duration.ofMillis(1));
        assertThat(world.trace().of(TestkitEvent.class))
                .extracting(TestkitEvent::what)
                .containsExactly("kill b/nobody at 1000 ns: not found");
    }

    @Test
    void aReceiverWithoutMessagesLeavesAStarveFaultUnstruck() {
        Fault starve = new Fault.WithholdReceives(AT, "b", pair.b().qp().number(), 2);
        world.faults().arm(starve);
        world.runFor(Duration.ofMillis(1));
        isUnstruck(starve);
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        assertThat(world.await(pair.a().qp().submit(Send.of(64))).isSuccess()).isTrue();
        assertThat(world.faults().unstruck()).isEmpty();
        assertThat(world.faults().struck()).containsOnlyKeys(FaultKind.STARVE).containsValue(1L);
        assertThat(world.faults().fired()).isEqualTo(FaultPlan.of(starve));
    }

    @Test
    void aSubscriberWithoutElementsLeavesAStallUnstruck() {
        pair.b().qp().recvCq().completions().subscribe(Subscribers.forEach(done -> {}));
        world.settle();
        Fault stall = new Fault.StallSubscriber(AT, "b", pair.b().qp().recvCq().number(), Duration.ofMillis(1));
        world.faults().arm(stall);
        world.runFor(Duration.ofNanos(2000));
        isUnstruck(stall);
        pair.b().qp().postReceive(Receive.of(1, pair.b().slice(0, 64)));
        world.await(pair.a().qp().submit(Send.of(64)));
        world.runFor(Duration.ofMillis(2));
        assertThat(world.faults().unstruck()).isEmpty();
    }

    @Test
    void pinnedPagesAreNotEvicted() {
        HostMemory pinned = b.process("pins").allocate(4096);
        world.await(b.process("pins").open().allocatePd().register(pinned, Access.LOCAL_WRITE));
        Fault evict = new Fault.Evict(AT, "b", "pins", 0, Long.MAX_VALUE);
        world.faults().arm(evict);
        world.runFor(Duration.ofMillis(1));
        isUnstruck(evict);
        HostMemory loose = b.process("loose").allocate(4096);
        loose.write(0, new byte[4096]);
        world.faults().arm(new Fault.Evict(AT, "b", "loose", 0, Long.MAX_VALUE));
        assertThat(world.faults().unstruck()).containsExactly(evict);
    }
}
