// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.fault.TimedFaults;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reliable connections over regions on demand. */
class OnDemandTrafficTest {
    private static final int COUNT = 8 * PAGE;

    // rules paging-fault, paging-counters
    @Test
    @Tag("rdma-core:test_odp.OdpTestCase.test_odp_rc_traffic")
    void theFirstSendFromColdPagesFaultsOnceAndTheSecondDoesNot() {
        try (Paged paged = Paged.of(1)) {
            byte[] bytes = Paged.counted(COUNT);
            paged.a.memory().write(0, bytes);
            for (int i = 0; i < 2; i++) {
                paged.pair
                        .b()
                        .qp()
                        .postReceive(Receive.of(i, paged.pair.b().region().slice(0, COUNT)));
                WorkCompletion sent =
                        paged.world.await(paged.pair.a().qp().submit(Send.of(i, paged.a.slice(0, COUNT))));
                assertThat(sent.isSuccess()).isTrue();
                assertThat(paged.pair.b().memory().read(0, COUNT)).isEqualTo(bytes);
                assertThat(paged.ofA().pageFaults()).isEqualTo(1);
                assertThat(paged.ofA().pageFaultPages()).isEqualTo(8);
                assertThat(paged.ofA().regionPages()).isEqualTo(8);
            }
        }
    }

    @Test
    void aWriteToColdPagesSucceeds() {
        try (Paged paged = Paged.of(2)) {
            byte[] bytes = Paged.counted(COUNT);
            paged.pair.a().memory().write(0, bytes);
            WorkCompletion written = paged.world.await(paged.pair
                    .a()
                    .qp()
                    .submit(RdmaWrite.of(1, paged.pair.a().region().slice(0, COUNT), paged.b.remote(0))));
            assertThat(written.status()).isEqualTo(Status.SUCCESS);
            assertThat(paged.b.memory().read(0, COUNT)).isEqualTo(bytes);
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
        }
    }

    @Test
    void aReadIntoColdPagesIsRepeatedAndSucceeds() {
        try (Paged paged = Paged.of(3)) {
            byte[] bytes = Paged.counted(COUNT);
            paged.pair.b().memory().write(0, bytes);
            WorkCompletion read = paged.world.await(paged.pair
                    .a()
                    .qp()
                    .submit(RdmaRead.of(
                            1, paged.a.slice(0, COUNT), paged.pair.b().region().remote(0))));
            assertThat(read.status()).isEqualTo(Status.SUCCESS);
            assertThat(paged.a.memory().read(0, COUNT)).isEqualTo(bytes);
            assertThat(paged.ofA().pageFaults()).isEqualTo(1);
        }
    }

    // rule paging-stream
    @Test
    void aReadSurvivesTimeoutsWhileLaterPagesAreAbsent() {
        PageLatency slow = PageLatency.DEFAULT.withReadBack(Duration.ofMillis(20));
        WorldOptions options = WorldOptions.of(7).with(HostMachine.DEFAULT.withPageLatency(slow));
        try (Paged paged = Paged.in(World.of(options))) {
            byte[] bytes = Paged.counted(Paged.BYTES);
            write(paged, 1);
            paged.b.memory().write(0, bytes);
            paged.b.memory().evict(PAGE, Paged.BYTES - PAGE);
            WorkCompletion read = paged.world.await(paged.pair
                    .a()
                    .qp()
                    .submit(RdmaRead.of(2, paged.pair.a().region().slice(0, Paged.BYTES), paged.b.remote(0))));
            assertThat(read.status()).isEqualTo(Status.SUCCESS);
            assertThat(paged.pair.a().memory().read(0, Paged.BYTES)).isEqualTo(bytes);
        }
    }

    // rule paging-invalidates
    @Test
    void anEvictedPageFaultsAgain() {
        try (Paged paged = Paged.of(4)) {
            byte[] bytes = Paged.counted(COUNT);
            paged.pair.a().memory().write(0, bytes);
            write(paged, 1);
            assertThat(paged.b.memory().evict(0, 3 * PAGE)).isEqualTo(3);
            paged.quiet();
            assertThat(paged.ofB().invalidations()).isEqualTo(1);
            assertThat(paged.ofB().invalidationPages()).isEqualTo(3);
            assertThat(paged.ofB().regionPages()).isEqualTo(5);
            write(paged, 2);
            assertThat(paged.ofB().pageFaults()).isEqualTo(2);
            assertThat(paged.ofB().pageFaultPages()).isEqualTo(11);
            assertThat(paged.b.memory().read(0, COUNT)).isEqualTo(bytes);
        }
    }

    // rule paging-host
    @Test
    void anEvictionCanBeInjectedAsAFault() {
        try (Paged paged = Paged.of(6)) {
            write(paged, 1);
            paged.world.faults().now().evict(paged.pair.b().context(), paged.b.memory(), PAGE, 2 * PAGE);
            paged.quiet();
            assertThat(paged.ofB().invalidationPages()).isEqualTo(2);
            write(paged, 2);
            assertThat(paged.ofB().pageFaults()).isEqualTo(2);
            paged.world
                    .faults()
                    .now()
                    .evict(paged.pair.b().context(), paged.pair.b().memory());
            paged.quiet();
            assertThat(paged.ofB().invalidations()).as("what is pinned stays").isEqualTo(1);
        }
    }

    // rule paging-host
    @Test
    void aShiftedRegionsSliceIsEvictedAtItsProcessAddress() {
        Paged.Registrar shifted = memory -> Registration.of(memory)
                .withRange(PAGE, 8 * PAGE)
                .withAddress(0x5000_0000L)
                .withOnDemandPaging()
                .withAccess(AccessFlags.LOCAL_AND_REMOTE);
        try (Paged paged = Paged.of(7, shifted)) {
            write(paged, 1);
            assertThat(paged.b.processAddress()).isEqualTo(paged.b.memory().address() + PAGE);
            paged.world.faults().now().evict(paged.b, paged.b.slice(2 * PAGE, 3 * PAGE));
            paged.quiet();
            assertThat(paged.ofB().invalidationPages()).isEqualTo(3);
            assertThat(paged.world.faults().plan().toHocon())
                    .contains("0x%x".formatted(paged.b.memory().address() + 3 * PAGE));
            write(paged, 2);
            assertThat(paged.ofB().pageFaultPages()).isEqualTo(11);
            paged.world.faults().now().evict(paged.b);
            paged.quiet();
            assertThat(paged.ofB().regionPages()).isZero();
            TimedFaults now = paged.world.faults().now();
            assertThatThrownBy(() -> now.evict(paged.b, paged.b.slice(7 * PAGE, 2 * PAGE)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> now.evict(paged.b, paged.a.slice(0, PAGE)))
                    .isInstanceOf(IllegalArgumentException.class);
            paged.world.faults().now().evict(paged.pair.b().region());
            paged.quiet();
            assertThat(paged.ofB().invalidations()).as("what is pinned stays").isEqualTo(2);
        }
    }

    // rule paging-fails
    @Test
    void anUnmappedTargetIsARemoteAccessError() {
        try (Paged paged = Paged.of(5)) {
            write(paged, 1);
            paged.b.memory().close();
            WorkCompletion refused = paged.world.await(paged.pair
                    .a()
                    .qp()
                    .submit(RdmaWrite.of(2, paged.pair.a().region().slice(0, COUNT), paged.b.remote(0))));
            assertThat(refused.status()).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().failedResolutions()).isEqualTo(1);
            assertThat(paged.ofB().invalidationPages()).isEqualTo(8);
        }
    }

    private static void write(Paged paged, int id) {
        WorkCompletion written = paged.world.await(paged.pair
                .a()
                .qp()
                .submit(RdmaWrite.of(id, paged.pair.a().region().slice(0, COUNT), paged.b.remote(0))));
        assertThat(written.status()).isEqualTo(Status.SUCCESS);
    }
}
