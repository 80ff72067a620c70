// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Predicate;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A queue pair whose actor stops unexpectedly, or is never created, does not count as a user of anything. */
@Timeout(60)
class DyingQueuePairTest {
    /** An error that stops any actor. */
    private static final class Deadly extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Throws at some events. */
    private record Trap(Predicate<TraceEvent> springs, Error error) implements TraceSink {
        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public long nextId() {
            return 1;
        }

        @Override
        public void record(TraceEvent event) {
            if (springs.test(event)) {
                throw error;
            }
        }
    }

    private static void leavesNoUser(Predicate<TraceEvent> springs, Error error) {
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(new Trap(springs, error)))) {
            DeviceContext context =
                    network.addAdapter("a", Profile.CONNECTX_5).process("app").open();
            ProtectionDomain domain = context.allocatePd();
            CompletionQueue cq = network.await(context.createCq(10));
            SharedReceiveQueue srq = network.await(domain.createSrq(SrqDescription.DEFAULT));
            assertThatThrownBy(() -> {
                        RcQueuePair qp = network.await(domain.createQp(
                                QpDescription.rc().withSendCq(cq).withSrq(srq)));
                        network.await(qp.modify(QpModify.to(QpState.RESET)));
                    })
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.ECANCELED, Errno.EIO));
            network.await(cq.destroy());
            network.await(srq.destroy());
            assertThat(context.openObjects().leaks()).hasSize(1);
        }
    }

    @Test
    void objectsUsedByADeadQueuePairAreNotBusy() {
        leavesNoUser(event -> event instanceof HcaEvent.Modified, new Deadly());
    }

    @Test
    void aQueuePairThatCrashesInCreationLeavesNoObjectBusy() {
        leavesNoUser(event -> event instanceof HcaEvent.QueuePairCreated, new AssertionError());
    }
}
