// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.Test;

class FirstLightTest {
    @Test
    void everyOperationOfRcMovesItsBytesAndCompletes() {
        try (World world = World.of(7)) {
            LinkProperties link = LinkProperties.of(1000, 100_000_000_000L);
            Adapter alice = world.network().addAdapter("alice", Profile.CONNECTX_5, link);
            Adapter bob = world.network().addAdapter("bob", Profile.CONNECTX_5, link);
            ConnectedPair pair = ConnectedPair.between(world.network(), alice, bob);
            List<WorkCompletion> received = new ArrayList<>();
            pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));

            byte[] message = new byte[5000];
            for (int i = 0; i < message.length; i++) {
                message[i] = (byte) (i * 7);
            }
            pair.a().memory().write(0, message);
            pair.b().qp().postReceive(Receive.of(100, pair.b().slice(0, 8192)));
            pair.b().qp().postReceive(Receive.of(101));

            WorkCompletion send = world.await(pair.a()
                    .qp()
                    .submit(Send.of(1, pair.a().slice(0, 5000)).withImmediate(77)));
            assertThat(send.status()).isEqualTo(Status.SUCCESS);
            assertThat(pair.b().memory().read(0, 5000)).isEqualTo(message);

            WorkCompletion write = world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(2, pair.a().slice(0, 5000), pair.b().remote(10_000))
                            .withImmediate(5)));
            assertThat(write.isSuccess()).isTrue();
            assertThat(pair.b().memory().read(10_000, 5000)).isEqualTo(message);

            WorkCompletion read = world.await(pair.a()
                    .qp()
                    .submit(RdmaRead.of(
                            3, pair.a().slice(20_000, 5000), pair.b().remote(10_000))));
            assertThat(read.lengthBytes()).isEqualTo(5000);
            assertThat(pair.a().memory().read(20_000, 5000)).isEqualTo(message);

            pair.b().memory().writeLong(30_000, 41);
            world.await(pair.a()
                    .qp()
                    .submit(FetchAdd.of(4, pair.a().slice(40_000, 8), pair.b().remote(30_000), 1)));
            assertThat(pair.a().memory().readLong(40_000)).isEqualTo(41);
            world.await(pair.a()
                    .qp()
                    .submit(CompareAndSwap.of(
                            5, pair.a().slice(40_000, 8), pair.b().remote(30_000), 42, 99)));
            assertThat(pair.a().memory().readLong(40_000)).isEqualTo(42);
            assertThat(pair.b().memory().readLong(30_000)).isEqualTo(99);

            world.settle();
            assertThat(received)
                    .extracting(WorkCompletion::kind)
                    .containsExactly(CompletionKind.RECV, CompletionKind.RECV_RDMA_WITH_IMM);
            assertThat(received).extracting(WorkCompletion::lengthBytes).containsExactly(5000L, 5000L);
            assertThat(received.getFirst().immediate()).hasValue(77);
        }
    }
}
