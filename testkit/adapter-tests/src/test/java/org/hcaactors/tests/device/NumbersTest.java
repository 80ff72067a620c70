// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** Numbers of queue pairs and keys as programs see them. */
class NumbersTest {
    private record Numbers(int a, int b, int keyA, int keyB) {}

    private static Numbers in(World world) {
        try (world) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            return new Numbers(
                    pair.a().qp().number(),
                    pair.b().qp().number(),
                    pair.a().region().rkey(),
                    pair.b().region().rkey());
        }
    }

    @Test
    void theSeedDeterminesTheFirstNumbersOfEveryAdapter() {
        Set<Numbers> all = new LinkedHashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            Numbers numbers = in(World.of(seed));
            assertThat(in(World.of(seed))).isEqualTo(numbers);
            all.add(numbers);
        }
        assertThat(all).hasSize(20).anyMatch(each -> each.a != each.b).anyMatch(each -> each.keyA != each.keyB);
    }

    @Test
    void outsideWorldsARestartedNetworkHasOtherFirstNumbers() {
        assertThat(firstOfANetwork()).isNotEqualTo(firstOfANetwork());
    }

    private static String firstOfANetwork() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            var process = network.addAdapter("a", Profile.CONNECTX_5).process("app");
            ProtectionDomain domain = process.open().allocatePd();
            int number = network.await(domain.createQp(QpDescription.rc())).number();
            int key = network.await(domain.register(process.allocate(8), Access.LOCAL_WRITE))
                    .lkey();
            return number + " %08x".formatted(key);
        }
    }

    // rule event-numbers-reserved
    @Test
    void numbersWrapAroundSkipReservedOnesAndWork() {
        FirstNumbers last = new FirstNumbers(FirstNumbers.MAX_QUEUE_PAIR, 0xFFFF_FF07);
        try (World world = World.of(WorldOptions.of(1).with(last))) {
            var process = world.adapter("a").process("app");
            ProtectionDomain domain = process.open().allocatePd();
            RcQueuePair first = world.await(domain.createQp(QpDescription.rc()));
            QpPair<RcQueuePair> second = world.await(QpPair.connectRc(domain, domain));
            assertThat(first.number()).isEqualTo(0xFF_FFFE);
            assertThat(Set.of(second.local().number(), second.remote().number()))
                    .containsExactlyInAnyOrder(2, 3);

            MemoryRegion from = world.await(domain.register(process.allocate(8), Access.LOCAL_WRITE));
            MemoryRegion to =
                    world.await(domain.register(process.allocate(8), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            assertThat(from.lkey()).isEqualTo(0xFFFF_FF07);
            assertThat(to.rkey()).isEqualTo(0x0000_0208);
            assertThat(world.await(second.local().submit(RdmaWrite.of(1, from.slice(0, 8), to.remote(0))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
        }
    }

    // rule event-numbers-rest
    @Test
    void aClosedQueuePairsNumberIsNotReusedAtOnce() {
        try (World world = World.of(1)) {
            ProtectionDomain domain = world.adapter("a").process("app").open().allocatePd();
            Set<Integer> seen = new LinkedHashSet<>();
            for (int i = 0; i < 200; i++) {
                RcQueuePair one = world.await(domain.createQp(QpDescription.rc()));
                assertThat(seen.add(one.number())).isTrue();
                world.await(one.destroy());
            }
        }
    }
}
