// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.NodesProgress;
import org.junit.jupiter.api.Test;

/** Sweeps over JVMs on the loopback interface. */
class SweepNodesTest {
    private static final Duration LONGEST = Duration.ofSeconds(120);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final String KILLED = "killed";

    private static boolean hasRunSeeds(NodesProgress.OfNode node) {
        return node.name().equals(KILLED) && node.ended() > 0;
    }

    @Test
    void aNodeThatTheClusterLosesGivesItsSeedsBack() throws InterruptedException, SweepRefusedException {
        Sweep sweep = Sweep.of(12);
        CompletableFuture<NodesProgress> begun = new CompletableFuture<>();
        try (SweepCoordinator coordinator = SweepCoordinator.start(
                        HostPort.LOOPBACK,
                        new NodeSweep(sweep, 1, LONGEST, LONGEST, SILENCE),
                        progress -> {
                            if (progress.nodes().stream().anyMatch(SweepNodesTest::hasRunSeeds)) {
                                begun.complete(progress);
                            }
                        },
                        () -> false);
                WorkerProcess killed = WorkerProcess.start(KILLED, coordinator.address())) {
            // On the coordinator's thread, which handles no other result meanwhile; the node has a second task by then.
            CompletableFuture<Void> gone = begun.thenRun(killed::kill);
            assertThat(gone).succeedsWithin(LONGEST);
            assertThat(begun.resultNow().ended()).isLessThan(sweep.seeds());
            try (WorkerProcess stays = WorkerProcess.start("stays", coordinator.address())) {
                NodesReport nodes = coordinator.report();
                assertThat(nodes.endedEarly()).isEmpty();
                assertThat(nodes.report()).isEqualTo(sweep.run());
                assertThat(stays.status()).isZero();
            }
        }
    }

    @Test
    void aSweepToWhichNoNodeComesEndsInWords() throws InterruptedException, SweepRefusedException {
        NodeSweep asked = new NodeSweep(Sweep.of(5), 0, LONGEST, Duration.ofMillis(300), LONGEST);
        try (SweepCoordinator coordinator =
                SweepCoordinator.start(HostPort.LOOPBACK, asked, progress -> {}, () -> false)) {
            NodesReport report = coordinator.report();
            assertThat(report.report().ran()).isZero();
            assertThat(report.endedEarly()).get().isInstanceOf(EndedEarly.NoNodes.class);
        }
    }

    @Test
    void aCallbackThatThrowsEndsTheSweepWithItsException() throws SweepRefusedException {
        NodeSweep asked = new NodeSweep(Sweep.of(5), 0, LONGEST, LONGEST, LONGEST);
        IllegalStateException thrown = new IllegalStateException("no terminal");
        try (SweepCoordinator coordinator = SweepCoordinator.start(
                HostPort.LOOPBACK,
                asked,
                progress -> {
                    throw thrown;
                },
                () -> false)) {
            assertThatThrownBy(coordinator::report)
                    .isInstanceOfSatisfying(
                            SweepRefusedException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(SweepRefusedException.Reason.CALLBACK))
                    .hasCause(thrown)
                    .hasMessageContaining("no terminal");
        }
    }

    @Test
    void aCoordinatorThatEndsEndsTheSweep() throws SweepRefusedException {
        NodeSweep asked = new NodeSweep(Sweep.of(5), 0, LONGEST, LONGEST, LONGEST);
        SweepCoordinator coordinator = SweepCoordinator.start(HostPort.LOOPBACK, asked, progress -> {}, () -> false);
        coordinator.close();
        assertThatThrownBy(coordinator::report)
                .isInstanceOfSatisfying(
                        SweepRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(SweepRefusedException.Reason.SWEEP_GONE));
    }

    @Test
    void anAddressInUseIsRefused() throws SweepRefusedException {
        NodeSweep asked = new NodeSweep(Sweep.of(5), 0, LONGEST, LONGEST, LONGEST);
        try (SweepCoordinator first = SweepCoordinator.start(HostPort.LOOPBACK, asked, progress -> {}, () -> true)) {
            assertThatThrownBy(() -> SweepCoordinator.start(first.address(), asked, progress -> {}, () -> true))
                    .isInstanceOfSatisfying(
                            SweepRefusedException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(SweepRefusedException.Reason.ADDRESS))
                    .hasMessageContaining(first.address() + " cannot be used");
        }
    }

    @Test
    void aNodeThatFindsNoSweepGivesUp() {
        SweepWorker lonely =
                new SweepWorker("", new HostPort("127.0.0.1", 9), HostPort.LOOPBACK, 1, Duration.ofMillis(300));
        assertThatThrownBy(lonely::run)
                .isInstanceOfSatisfying(
                        SweepRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(SweepRefusedException.Reason.NO_SWEEP));
    }
}
