// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.RcLoad.mixed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.conformance.rdmaunit.RcLoad.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram traffic: the suite's traffic/ tests, with fewer datagrams. */
@Tag("judge")
class UdTrafficTest {
    private static final int[] SIZES = {4, 32, 100, 512, 1024, 4096};

    private final Ground ground = new Ground(Wiring.WIRE);

    @AfterEach
    void close() {
        ground.close();
    }

    private static IntUnaryOperator always(int bytes) {
        return slot -> bytes;
    }

    private static int size(int slot) {
        return SIZES[slot * 7 % SIZES.length];
    }

    @Test
    @Tag("rdma-unit-test:SimpleRdmaTest.UdSend")
    void oneDatagram() {
        new UdLoad(ground, 1, 1, 1, 256, true).run(1, 1, always(256));
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "1, 4096", "100, 512", "300, 4"})
    @Tag("rdma-unit-test:UdConstantOpTest.OneToOne")
    void everySenderToAReceiverOfItsOwn(int count, int bytes) {
        int round = Math.max(count, 16);
        new UdLoad(ground, 1, count, round, bytes, true).run(2, round, always(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    @Tag("rdma-unit-test:UdMixedOpTest.OneToOne")
    void severalSizes(int count) {
        new UdLoad(ground, 1, count, 200, 4096, true).run(3, 200, UdTrafficTest::size);
    }

    @ParameterizedTest
    @CsvSource({"1, 10, true", "10, 1, true", "10, 10, false", "10, 10, true"})
    @Tag("rdma-unit-test:MultiplexedUdTest.FixedOpSize")
    void everySenderToEveryReceiverByPathsOfItsOwnOrOneForAll(int senders, int receivers, boolean ownPaths) {
        new UdLoad(ground, senders, receivers, 100, 32, ownPaths).run(5, 100, always(32));
    }

    @Test
    @Tag("rdma-unit-test:UdMultiplexedMixedOpsTest.MultiplexedMixedOpsShared")
    void everySenderToEveryReceiverInSeveralSizes() {
        new UdLoad(ground, 10, 10, 100, 4096, false).run(5, 100, UdTrafficTest::size);
    }

    /** A burst may lose what exceeds the links' queues; what follows arrives. */
    @ParameterizedTest
    @ValueSource(ints = {1024, 8192})
    @Tag("rdma-unit-test:UdBurstTest.TrafficOkAfterBurst")
    void trafficAfterABurstArrives(int burst) {
        int queuePairs = burst / 128;
        UdLoad load = new UdLoad(ground, queuePairs, queuePairs, burst, 1024, true);
        load.post(burst, always(1024));
        load.checkSent(ground.all(load.sendCq()), burst);
        List<WorkCompletion> survivors = ground.all(load.recvCq());
        assertThat(survivors.size()).isBetween(1, burst);
        load.checkReceived(survivors, always(1024));
        load.run(1, 10, always(1024));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "100, true", "100, false"})
    @Tag("rdma-unit-test:EventDrivenCompletionsTest.OneOpIsSuccessful")
    @Tag("rdma-unit-test:EventDrivenCompletionsTest.ManyOpsAreSuccessful")
    void noCompletionIsMissedByWaitingForEventsAndPolling(int count, boolean blocking) {
        UdLoad load = new UdLoad(ground, 10, 10, count, 32, true);
        List<WorkCompletion> received = new ArrayList<>();
        List<CompletionQueue> woken = new ArrayList<>();
        load.recvCq().arm(Arm.ANY);
        if (!blocking) {
            load.channel().wakeups().subscribe(Subscribers.forEach(woken::add));
        }
        load.post(count, always(32));
        while (received.size() < count) {
            if (blocking) {
                assertThat(ground.await(load.channel().next())).isSameAs(load.recvCq());
            } else {
                ground.world().runFor(Duration.ofNanos(1000));
            }
            if (blocking || !woken.isEmpty()) {
                woken.clear();
                load.recvCq().arm(Arm.ANY);
                received.addAll(ground.await(load.recvCq().poll(count)));
            }
        }
        assertThat(received.size()).isEqualTo(count);
        load.checkReceived(received, always(32));
        load.checkSent(ground.all(load.sendCq()), count);
    }

    @Test
    @Tag("rdma-unit-test:MixedQpModeTest.BasicTest")
    @Tag("rdma-unit-test:MixedQpModeTest.StressTest")
    void datagramsAndConnectionsShareTheirAdapters() {
        UdLoad datagrams = new UdLoad(ground, 10, 10, 100, 4096, false);
        RcLoad connections = new RcLoad(ground, 50, 4, 4096).connect(50);
        for (int round = 0; round < 3; round++) {
            datagrams.post(100, UdTrafficTest::size);
            connections.run(1, mixed(round, List.of(Kind.READ, Kind.WRITE, Kind.SEND), SIZES));
            datagrams.check(100, UdTrafficTest::size);
        }
    }
}
