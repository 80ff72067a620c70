// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.SHAPE;
import static org.hcaactors.conformance.rdmaunit.Ground.whole;
import static org.hcaactors.conformance.rdmaunit.RcLoad.always;
import static org.hcaactors.conformance.rdmaunit.RcLoad.mixed;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.conformance.rdmaunit.RcLoad.Kind;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reliable traffic: the suite's traffic/ tests and its stress test, with fewer requests and without their time limits. */
@Tag("judge")
class RcTrafficTest {
    private static final List<Kind> COPIES = List.of(Kind.READ, Kind.WRITE, Kind.SEND);
    private static final List<Kind> ALL = List.of(Kind.values());

    private final Ground ground = new Ground(Wiring.WIRE);

    @AfterEach
    void close() {
        ground.close();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:SimpleRdmaTest.Write")
    @Tag("rdma-unit-test:SimpleRdmaTest.Read")
    @Tag("rdma-unit-test:SimpleRdmaTest.RcSend")
    @Tag("rdma-unit-test:SimpleRdmaTest.FetchAdd")
    @Tag("rdma-unit-test:SimpleRdmaTest.CompareSwap")
    void fiveConnectionsWithTenRequestsEach(Kind kind) {
        int bytes = kind == Kind.FETCH_ADD || kind == Kind.COMPARE_SWAP ? 8 : 32;
        new RcLoad(ground, 5, 10, bytes).connect(5).run(2, always(kind, bytes));
    }

    @Test
    @Tag("rdma-unit-test:SimpleRdmaTest.Batching")
    void batchesOfFour() {
        new RcLoad(ground, 10, 4, 32).connect(10).run(25, always(Kind.SEND, 32));
    }

    @Test
    @Tag("rdma-unit-test:SimpleRdmaTest.MixedOpType")
    void everyKindOfRequest() {
        new RcLoad(ground, 10, 10, 32).connect(10).run(10, mixed(1, ALL, 32));
    }

    @Test
    @Tag("rdma-unit-test:SimpleRdmaTest.MixedOpSize")
    void severalSizes() {
        new RcLoad(ground, 10, 10, 128).connect(10).run(10, mixed(2, List.of(Kind.WRITE), 32, 64, 128));
    }

    @ParameterizedTest
    @CsvSource({"1, 32", "1, 16384", "100, 256", "100, 2048", "300, 32"})
    @Tag("rdma-unit-test:ConstantOpTest.Basic")
    void manyConnectionsAndOneKindAtATime(int connections, int bytes) {
        int batch = connections == 1 ? 32 : 2;
        RcLoad load = new RcLoad(ground, connections, batch, bytes).connect(connections);
        for (Kind kind : COPIES) {
            load.run(1, always(kind, bytes));
        }
        for (Kind kind : List.of(Kind.FETCH_ADD, Kind.COMPARE_SWAP)) {
            load.run(1, always(kind, 8));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, true", "1, 32, false", "100, 1, false", "100, 8, true"})
    @Tag("rdma-unit-test:MixedOpsTest.Basic")
    void manyConnectionsAndEveryKindAndSize(int connections, int inFlight, boolean atomics) {
        new RcLoad(ground, connections, inFlight, 4096)
                .connect(connections)
                .run(4, mixed(connections, atomics ? ALL : COPIES, 8, 32, 100, 1024, 1025, 4096));
    }

    @ParameterizedTest
    @CsvSource({"10, 10, 16384", "200, 50, 32", "200, 50, 1024"})
    @Tag("rdma-unit-test:QpOversubscriptionTest.StressTest")
    void connectionsAreAddedStepByStepAndTheOldOnesContinue(int connections, int step, int bytes) {
        RcLoad load = new RcLoad(ground, connections, 2, bytes);
        for (int there = 0; there < connections; there += step) {
            load.connect(step).run(1, mixed(there, COPIES, bytes));
        }
    }

    @Test
    @Tag("rdma-unit-test:StressTest.Write32B100Qp100kOps")
    void aHundredConnectionsWithThirtyTwoWritesEachUnderWay() {
        new RcLoad(ground, 100, 32, 32).connect(100).run(3, always(Kind.WRITE, 32));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:VaryMtuTest.VaryMtuTest")
    void everyPathMtuCarriesSixteenKilobytes(PathMtu mtu) {
        new RcLoad(ground, 1, 1, 16384)
                .connect(1, RcConnection.DEFAULT.withMtu(mtu))
                .run(1, always(Kind.WRITE, 16384));
    }

    @Test
    @Tag("rdma-unit-test:RdmaStabilityTest.StabilityDurationTest")
    void repeatedRoundsOfEveryRequest() {
        RcLoad load = new RcLoad(ground, 10, 10, 8).connect(10);
        for (int round = 0; round < 10; round++) {
            load.run(5, mixed(round, ALL, 8));
        }
    }

    @Test
    @Tag("rdma-unit-test:RdmaStabilityTest.StabilityResourceTest")
    void repeatedConnectionsLeaveNoObject() {
        RcLoad load = new RcLoad(ground, 10, 10, 8);
        int before = ground.world().network().leaks().leaks().size();
        for (int life = 0; life < 10; life++) {
            load.connect(10).run(2, mixed(life, COPIES, 8));
            load.disconnect();
            assertThat(ground.world().network().leaks().leaks()).hasSize(before);
        }
    }

    private void send(ConnectedPair pair, int receives, int sends) {
        receive(pair, receives);
        for (int i = 0; i < sends; i++) {
            pair.a().qp().post(Send.of(i, whole(pair.a().region())).withSignaled());
        }
    }

    private static void receive(ConnectedPair pair, int receives) {
        for (int i = 0; i < receives; i++) {
            pair.b().qp().postReceive(Receive.of(i, whole(pair.b().region())));
        }
    }

    private static List<Status> first(int count, List<WorkCompletion> all) {
        return all.stream().limit(count).map(WorkCompletion::status).collect(Collectors.toList());
    }

    private static List<Status> times(int count, Status status) {
        return IntStream.range(0, count).mapToObj(i -> status).toList();
    }

    @Test
    @Tag("rdma-unit-test:RnrNackTest.RetryFailure")
    void theFirstMessageWithoutAReceiveFailsAndOthersAreFlushed() {
        ConnectedPair pair = ground.pair(SHAPE.attributes().withRnrRetry(1).withMinRnrTimerCode(1));
        send(pair, 16, 32);
        List<WorkCompletion> sent = ground.all(pair.a().sendCq());
        assertThat(first(16, sent)).isEqualTo(times(16, Status.SUCCESS));
        assertThat(sent.get(16).status()).isEqualTo(Status.RNR_RETRY_EXC_ERR);
        assertThat(first(15, sent.subList(17, 32))).isEqualTo(times(15, Status.WR_FLUSH_ERR));
        assertThat(ground.all(pair.b().recvCq())).hasSize(16).allMatch(WorkCompletion::isSuccess);
    }

    @Test
    @Tag("rdma-unit-test:RnrNackTest.RetrySuccess")
    void lateReceivesLoseNoMessage() {
        ConnectedPair pair = ground.pair(SHAPE.attributes().withRnrRetry(7).withMinRnrTimerCode(31));
        send(pair, 16, 32);
        ground.world().runFor(Duration.ofMillis(100));
        assertThat(ground.await(pair.a().sendCq().poll(32))).hasSize(16).allMatch(WorkCompletion::isSuccess);
        receive(pair, 16);
        assertThat(ground.all(pair.a().sendCq())).hasSize(16).allMatch(WorkCompletion::isSuccess);
        assertThat(ground.all(pair.b().recvCq())).hasSize(32).allMatch(WorkCompletion::isSuccess);
    }

    /** A completion queue that overruns fails the connections that report to it, as with ConnectX, and no others. */
    @ParameterizedTest
    @CsvSource({"127, 31", "31, 127"})
    @Tag("rdma-unit-test:CqOverrunTest.Basic")
    void anOverrunAffectsNoOtherConnection(int sendEntries, int recvEntries) {
        ConnectedPair large = ground.pair();
        CompletionQueue sendCq = ground.await(large.a().context().createCq(sendEntries));
        CompletionQueue recvCq = ground.await(large.b().context().createCq(recvEntries));
        QpPair<RcQueuePair> small = ground.await(QpPair.connectRc(
                large.a().domain(),
                QpDescription.rc().withSendCq(sendCq),
                large.b().domain(),
                QpDescription.rc().withRecvCq(recvCq)));
        for (int i = 0; i < 93; i++) {
            for (QpPair<RcQueuePair> pair :
                    List.of(small, new QpPair<>(large.a().qp(), large.b().qp()))) {
                pair.remote().postReceive(Receive.of(i, whole(large.b().region())));
                pair.local().post(Send.of(i, whole(large.a().region())).withSignaled());
            }
        }
        assertThat(ground.all(large.a().sendCq())).hasSize(93).allMatch(WorkCompletion::isSuccess);
        assertThat(ground.all(large.b().recvCq())).hasSize(93).allMatch(WorkCompletion::isSuccess);
        boolean sendsOverran = sendEntries < recvEntries;
        assertThat(ground.state(sendsOverran ? small.local() : small.remote())).isEqualTo(QpState.ERR);
    }
}
