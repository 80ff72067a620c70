// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts that no longer progress are named, with what they wait for. */
class ExplainedStallsTest {
    private final World world = World.inOrder();
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private List<Explanation> waiting() {
        world.runToQuiet(Duration.ofSeconds(3));
        return Explainer.of(world.trace()).waiting();
    }

    @Test
    void completedRequestsAreNotReportedAsWaiting() {
        ConnectedPair pair = world.connect(a, b);
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aLostPacketWithoutATimeout() {
        RcConnection patient = RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(7);
        ConnectedPair pair = world.connect(a, b, Shape.DEFAULT.with(patient));
        world.faults().on(packet().write()).first().drop();
        pair.a().qp().submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)));
        assertThat(waiting()).singleElement().satisfies(reason -> {
            assertThat(reason.what())
                    .isEqualTo("request 1 of " + pair.a().label() + " (RDMA_WRITE 8 bytes) has no completion");
            assertThat(reason.because()).anyMatch(line -> line.contains("drop the 1st WRITE"));
            assertThat(reason.root())
                    .isEqualTo(pair.a().label()
                            + "'s local ACK timeout is 0: the requester waits for an answer without a limit");
        });
    }

    @Test
    void aRequestPostedInSqd() {
        ConnectedPair pair = world.connect(a, b);
        world.await(pair.a().qp().modify(QpModify.to(QpState.SQD)));
        pair.a().qp().submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)));
        assertThat(waiting())
                .singleElement()
                .satisfies(reason ->
                        assertThat(reason.root()).isEqualTo(pair.a().label() + " is in SQD; requests are sent in RTS"));
    }

    private String stalled() {
        return String.valueOf(catchThrowable(() -> world.await(new CompletableFuture<>(), Duration.ofSeconds(1)))
                .getMessage());
    }

    private RdmaWrite write(ConnectedPair pair, long id) {
        return RdmaWrite.of(id, pair.a().slice(0, 3000), pair.b().remote(0));
    }

    @Test
    void anAcknowledgedUnsignaledRequestHasEnded() {
        ConnectedPair pair = world.connect(a, b);
        pair.a().qp().post(write(pair, 1));
        pair.a().qp().post(RdmaRead.of(2, pair.a().slice(0, 3000), pair.b().remote(0)));
        world.runToQuiet(Duration.ofSeconds(1));
        assertThat(stalled()).contains("every posted request has a completion");
        world.await(pair.a().qp().modify(QpModify.to(QpState.SQD)));
        pair.a().qp().submit(write(pair, 3));
        assertThat(stalled())
                .contains("requests without completion: " + pair.a().label() + " request 3 (RDMA_WRITE 3000 bytes)\n")
                .doesNotContain("is queued behind");
        pair.a().qp().submit(write(pair, 4));
        assertThat(stalled()).contains("it is queued behind request 3");
    }

    @Test
    void anUnacknowledgedUnsignaledRequestHasNotEnded() {
        ConnectedPair pair = world.connect(
                a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(7)));
        world.faults()
                .on(packet().readResponse().place(Operation.Place.LAST))
                .first()
                .drop();
        pair.a().qp().post(write(pair, 1));
        pair.a().qp().post(RdmaRead.of(2, pair.a().slice(0, 3000), pair.b().remote(0)));
        assertThat(stalled())
                .contains("requests without completion: " + pair.a().label() + " request 2 (RDMA_READ 3000 bytes)");
    }

    @Test
    void anUnacknowledgedRequestOfUcHasEnded() {
        var from = a.process("app").open().allocatePd();
        QpPair<UcQueuePair> pair =
                world.await(QpPair.connectUc(from, b.process("app").open().allocatePd()));
        pair.local().post(Send.of(1));
        world.runToQuiet(Duration.ofSeconds(1));
        assertThat(stalled()).contains("every posted request has a completion");
    }

    @Test
    void aRequestDroppedByAResetHasEnded() {
        ConnectedPair pair = world.connect(a, b);
        world.faults().on(packet().write()).drop();
        for (int i = 0; i < 3; i++) {
            pair.a().qp().submit(write(pair, i));
        }
        world.await(pair.a().qp().modify(QpModify.to(QpState.RESET)));
        assertThat(stalled()).contains("every posted request has a completion");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aReceiveOfTheSameIdEndsNoRequest() {
        ConnectedPair pair = world.connect(
                a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(7)));
        world.faults().on(packet().write().from(a)).drop();
        pair.a().qp().postReceive(Receive.of(1, pair.a().slice(0, 64)));
        pair.a().qp().submit(write(pair, 1));
        world.await(pair.b().qp().submit(Send.of(9, pair.b().slice(0, 64))));
        assertThat(stalled())
                .contains("requests without completion: " + pair.a().label() + " request 1 (RDMA_WRITE 3000 bytes)");
    }

    /** A queue on b that reports to a channel, with one receive and one message for it. */
    private final class Inbox {
        final CompletionQueue queue;
        final QpPair<RcQueuePair> pair;

        Inbox() {
            var domain = b.process("app").open().allocatePd();
            CompletionChannel channel = world.await(domain.context().createChannel());
            queue = world.await(domain.context().createCq(CqDescription.of(10).withChannel(channel)));
            var region = world.await(domain.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
            pair = world.await(QpPair.connectRc(
                    a.process("app").open().allocatePd(),
                    QpDescription.rc(),
                    domain,
                    QpDescription.rc().withRecvCq(queue)));
            pair.remote().postReceive(Receive.of(5, region.slice(0, 64)));
        }

        void message() {
            world.await(pair.local().submit(Send.of(1)));
            world.settle();
        }

        Explanation unfetched() {
            return waiting().stream()
                    .filter(reason -> reason.about()
                            .equals(new Explanation.Subject.Unfetched("b", Element.completionQueue(queue.number()))))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aWakeUpLostByALateArm() {
        Inbox inbox = new Inbox();
        inbox.message();
        inbox.queue.arm(CompletionQueue.Arm.ANY);
        Explanation reason = inbox.unfetched();
        assertThat(reason.what()).contains("holds 1 unpolled completion");
        assertThat(reason.because())
                .anyMatch(line -> line.contains("an armed queue reports only entries written later"));
        assertThat(reason.root()).contains("it must poll once more after it arms");
    }

    @Test
    void aQueueNeitherArmedNorPolledIsNamed() {
        Inbox inbox = new Inbox();
        inbox.message();
        assertThat(inbox.unfetched().root()).contains("was never armed, and no thread polls it");
    }

    @Test
    void aWakeUpWithoutALaterPollIsNamed() {
        Inbox inbox = new Inbox();
        inbox.queue.arm(CompletionQueue.Arm.ANY);
        inbox.message();
        assertThat(inbox.unfetched().root()).contains("woke its channel").contains("no thread has polled it since");
    }

    @Test
    void aQueueNotRearmedAfterAnEvent() {
        Inbox inbox = new Inbox();
        inbox.queue.arm(CompletionQueue.Arm.ANY);
        inbox.message();
        world.await(inbox.queue.poll(10));
        inbox.pair.remote().postReceive(Receive.of(6));
        inbox.message();
        assertThat(inbox.unfetched().because())
                .anyMatch(line -> line.contains("was not armed again: an armed queue reports one event"))
                .last()
                .asString()
                .contains("it must arm after each event");
    }

    @Test
    void aWakeUpLostByAFault() {
        Inbox inbox = new Inbox();
        world.faults().loseWakeup(b, inbox.queue, new Trigger.First(1));
        inbox.queue.arm(CompletionQueue.Arm.ANY);
        inbox.message();
        assertThat(inbox.unfetched().root()).contains("the testkit: lose the 1st wake-up of b/cq");
    }

    @Test
    void aQueueThatIsArmedForSolicitedEntriesOnly() {
        Inbox inbox = new Inbox();
        inbox.queue.arm(CompletionQueue.Arm.SOLICITED);
        inbox.message();
        assertThat(inbox.unfetched().root())
                .contains("armed for SOLICITED")
                .contains("no entry written since was of that kind");
    }

    @Test
    void aPolledQueueIsNotReported() {
        Inbox inbox = new Inbox();
        inbox.message();
        world.await(inbox.queue.poll(10));
        assertThat(waiting()).isEmpty();
    }
}
