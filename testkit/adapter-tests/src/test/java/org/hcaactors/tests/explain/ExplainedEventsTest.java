// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every asynchronous event is traced back to its cause. */
class ExplainedEventsTest {
    private final World world = World.of(3);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation explain(AsyncEvent.Kind kind, int element) {
        world.runToQuiet(Duration.ofSeconds(3));
        return Explainer.of(world.trace())
                .explain("b", new AsyncEvent(kind, element))
                .orElseThrow();
    }

    private static RdmaWrite write(ConnectedPair pair) {
        return RdmaWrite.of(7, pair.a().slice(0, 8), pair.b().remote(0));
    }

    @Test
    void aFullCompletionQueue() {
        ConnectedPair pair = world.connect(a, b, Shape.DEFAULT.withCqEntries(2));
        int cq = pair.b().recvCq().number();
        for (int i = 0; i < 4; i++) {
            pair.b().qp().postReceive(Receive.of(i, pair.b().slice(0, 64)));
            pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8)));
        }
        Explanation reason = explain(AsyncEvent.Kind.CQ_ERR, cq);
        assertThat(reason.what()).isEqualTo("CQ_ERR of b/cq" + cq);
        assertThat(reason.root())
                .contains("of its 3 entries 3 wait to be polled")
                .contains("request 3 of qp" + pair.b().qp().number() + " did not fit");
    }

    @Test
    void aQueuePairWhoseCompletionQueueIsFull() {
        ConnectedPair pair = world.connect(a, b, Shape.DEFAULT.withCqEntries(2));
        for (int i = 0; i < 4; i++) {
            pair.b().qp().postReceive(Receive.of(i, pair.b().slice(0, 64)));
            pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8)));
        }
        Explanation reason = explain(AsyncEvent.Kind.QP_FATAL, pair.b().qp().number());
        assertThat(reason.because())
                .anyMatch(line -> line.contains("its completion queue is in error"))
                .anyMatch(line -> line.contains("CQ_ERR was raised for b/cq"));
        assertThat(reason.root()).contains("3 wait to be polled");
    }

    @Test
    void aQueuePairWhoseActorCrashed() {
        ConnectedPair pair = world.connect(a, b);
        world.faults().now().crash(b, pair.b().qp());
        assertThat(explain(AsyncEvent.Kind.QP_FATAL, pair.b().qp().number()).root())
                .startsWith("the testkit: crash b/qp-" + pair.b().qp().number());
    }

    @Test
    void aCompletionQueueWhoseActorCrashed() {
        ConnectedPair pair = world.connect(a, b);
        world.faults().now().crash(b, pair.b().recvCq());
        assertThat(explain(AsyncEvent.Kind.CQ_ERR, pair.b().recvCq().number()).root())
                .startsWith("the testkit: crash b/cq-");
    }

    @Test
    void aDeviceThatCrashedAndItsQueuePairs() {
        ConnectedPair pair = world.connect(a, b);
        world.faults().now().crash(b);
        Explanation device = explain(AsyncEvent.Kind.DEVICE_FATAL, 0);
        assertThat(device.what()).isEqualTo("DEVICE_FATAL of adapter b");
        assertThat(device.root()).startsWith("the testkit: crash b at");
        Explanation qp = explain(AsyncEvent.Kind.QP_FATAL, pair.b().qp().number());
        assertThat(qp.because()).anyMatch(line -> line.contains("DEVICE_FATAL was raised for adapter b"));
        assertThat(qp.root()).startsWith("the testkit: crash b at");
    }

    @Test
    void aRequestThatTheQueuePairDoesNotAllow() {
        ConnectedPair pair = world.connect(
                a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_READ))));
        world.await(pair.a().qp().submit(write(pair)));
        Explanation reason = explain(AsyncEvent.Kind.QP_REQ_ERR, pair.b().qp().number());
        assertThat(reason.because())
                .anyMatch(line -> line.contains("for request 7 of " + pair.a().label()));
        assertThat(reason.root()).isEqualTo(pair.b().label() + ": the queue pair does not allow REMOTE_WRITE");
    }

    @Test
    void aRequestThatItsKeyDoesNotAllow() {
        ConnectedPair pair = world.connect(a, b);
        var readOnly = world.await(pair.b().domain().register(pair.b().memory(), Access.REMOTE_READ));
        world.await(pair.a().qp().submit(RdmaWrite.of(7, pair.a().slice(0, 8), readOnly.remote(0))));
        assertThat(explain(AsyncEvent.Kind.QP_ACCESS_ERR, pair.b().qp().number())
                        .root())
                .contains("does not allow REMOTE_WRITE");
    }

    @Test
    void theFirstPacketInReadyToReceive() {
        var domainA = a.process("app").open().allocatePd();
        var domainB = b.process("app").open().allocatePd();
        var left = world.await(domainA.createQp(QpDescription.rc()));
        var right = world.await(domainB.createQp(QpDescription.rc()));
        RcConnection attributes = RcConnection.DEFAULT;
        world.await(left.modify(QpModify.to(QpState.INIT, init())));
        world.await(right.modify(QpModify.to(QpState.INIT, init())));
        world.await(left.modify(QpModify.to(QpState.RTR, rtr(b, right.number(), attributes))));
        world.await(right.modify(QpModify.to(QpState.RTR, rtr(a, left.number(), attributes))));
        world.await(left.modify(QpModify.to(
                QpState.RTS,
                new QpAttribute.SendPsn(0),
                new QpAttribute.Timeout(8),
                new QpAttribute.RetryCount(1),
                new QpAttribute.RnrRetry(1),
                new QpAttribute.MaxRdAtomic(1))));
        left.post(Send.of(1));
        Explanation reason = explain(AsyncEvent.Kind.COMM_EST, right.number());
        assertThat(reason.because())
                .first()
                .asString()
                .contains("the first packet arrived while the queue pair was in RTR");
    }

    private static QpAttribute[] init() {
        return new QpAttribute[] {
            new QpAttribute.PkeyIndex(0),
            new QpAttribute.Port(1),
            new QpAttribute.RemoteAccess(AccessFlags.LOCAL_AND_REMOTE)
        };
    }

    private static QpAttribute[] rtr(Adapter peer, int number, RcConnection attributes) {
        return new QpAttribute[] {
            new QpAttribute.Av(AddressVector.to(peer.gid())),
            new QpAttribute.Mtu(attributes.mtu()),
            new QpAttribute.DestinationQp(number),
            new QpAttribute.ReceivePsn(0),
            new QpAttribute.MaxDestRdAtomic(1),
            new QpAttribute.MinRnrTimer(1)
        };
    }

    @Test
    void aSendQueueThatDrained() {
        ConnectedPair pair = world.connect(a, b);
        world.await(pair.b().qp().modify(QpModify.to(QpState.SQD, new QpAttribute.NotifyWhenDrained(true))));
        assertThat(explain(AsyncEvent.Kind.SQ_DRAINED, pair.b().qp().number()).because())
                .first()
                .asString()
                .contains("in SQD, and all started requests have completed");
    }

    @Test
    void aCableUnpluggedAndPluggedInByAFault() {
        world.connect(a, b);
        world.faults().now().unplug(b, Duration.ofMillis(1));
        Explanation down = explain(AsyncEvent.Kind.PORT_ERR, 1);
        assertThat(down.because()).contains("b port 1: the cable was pulled");
        assertThat(down.root()).startsWith("the testkit: unplug b");
        assertThat(explain(AsyncEvent.Kind.PORT_ACTIVE, 1).root()).startsWith("the testkit: unplug b");
    }

    @Test
    void aCableUnpluggedByTheProgram() {
        world.connect(a, b);
        world.network().unplug(b);
        assertThat(explain(AsyncEvent.Kind.PORT_ERR, 1).root()).isEqualTo("b port 1: the cable was pulled");
    }

    @Test
    void changedTables() {
        world.network().setGidTable(b, List.of(Gid.ofIpv4(10, 0, 0, 9)));
        world.network().setPkeyTable(b, List.of(0xFFFF, 0x8001));
        assertThat(explain(AsyncEvent.Kind.GID_CHANGE, 1).root()).contains("the host set a GID table of size 1");
        assertThat(explain(AsyncEvent.Kind.PKEY_CHANGE, 1).root())
                .contains("a subnet manager set a P_Key table of size 2");
    }

    /** Three receives of one shared queue on b, and a queue pair that takes from it. */
    private final class Shared {
        final SharedReceiveQueue srq;
        final QpPair<RcQueuePair> pair;

        Shared() {
            var domain = b.process("app").open().allocatePd();
            var region = world.await(domain.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
            srq = world.await(domain.createSrq(SrqDescription.of(10).withMaxSge(1)));
            pair = world.await(QpPair.connectRc(
                    a.process("app").open().allocatePd(),
                    QpDescription.rc(),
                    domain,
                    QpDescription.rc().withSrq(srq)));
            for (int i = 0; i < 3; i++) {
                srq.postReceive(Receive.of(i, region.slice(0, 64)));
            }
        }
    }

    @Test
    void aSharedReceiveQueueBelowItsLimit() {
        Shared shared = new Shared();
        world.await(shared.srq.armLimit(3));
        world.await(shared.pair.local().submit(Send.of(1)));
        assertThat(explain(AsyncEvent.Kind.SRQ_LIMIT_REACHED, shared.srq.number())
                        .root())
                .contains("2 receives are in it, fewer than its limit of 3");
    }

    @Test
    void aSharedReceiveQueueThatCrashedAndItsQueuePair() {
        Shared shared = new Shared();
        world.faults().now().crash(b, shared.srq);
        assertThat(explain(AsyncEvent.Kind.SRQ_ERR, shared.srq.number()).root())
                .startsWith("the testkit: crash b/srq-");
        Explanation qp = explain(AsyncEvent.Kind.QP_FATAL, shared.pair.remote().number());
        assertThat(qp.because()).anyMatch(line -> line.contains("its shared receive queue is in error"));
        assertThat(qp.root()).startsWith("the testkit: crash b/srq-");
    }

    @Test
    void theLastReceiveOfAQueuePairThatFailed() {
        Shared shared = new Shared();
        world.await(shared.pair.remote().modify(QpModify.to(QpState.ERR)));
        Explanation reason = explain(
                AsyncEvent.Kind.QP_LAST_WQE_REACHED, shared.pair.remote().number());
        assertThat(reason.because())
                .first()
                .asString()
                .contains("takes no more receives from its shared receive queue");
        assertThat(reason.root()).contains("changed from RTS to ERR: modified to ERR");
    }
}
