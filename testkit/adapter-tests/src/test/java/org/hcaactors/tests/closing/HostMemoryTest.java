// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lifetime of host memory: until it is closed, its process exits or the network closes. */
class HostMemoryTest {
    private static final AccessFlags EVERYTHING = AccessFlags.LOCAL_AND_REMOTE;

    private static void refused(Errno errno, ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Nested
    class OnTheBench {
        private final World world = World.of(17);
        private final Adapter adapter = world.adapter("a");
        private final HostProcess process = adapter.process("app");
        private final DeviceContext context = process.open();
        private final ProtectionDomain domain = context.allocatePd();

        @AfterEach
        void close() {
            world.close();
        }

        private MemoryRegion registered(HostMemory memory) {
            return world.await(domain.register(Registration.of(memory).withAccess(EVERYTHING)));
        }

        @Test
        void memoryIsBusyWhileRegionsCoverItAndTheErrorNamesThem() {
            HostMemory memory = process.allocate(4096);
            MemoryRegion first = registered(memory);
            MemoryRegion second = world.await(domain.register(memory, 8, 8, AccessFlags.LOCAL_AND_REMOTE));
            refused(Errno.EBUSY, memory::close);
            assertThatThrownBy(() -> world.await(memory.closeAsync()))
                    .hasMessageContaining(first.describe())
                    .hasMessageContaining(second.describe());
            world.await(first.deregister());
            refused(Errno.EBUSY, memory::close);
            memory.writeLong(0, 1);
            world.await(second.deregister());
            memory.close();
            assertThatThrownBy(() -> memory.readLong(0)).hasMessageContaining("unmapped");
        }

        @Test
        void memoryIsBusyDuringARegistrationOrDeregistration() {
            HostMemory memory = process.allocate(64);
            CompletionStage<MemoryRegion> registering =
                    domain.register(Registration.of(memory).withAccess(EVERYTHING));
            refused(Errno.EBUSY, memory::close);
            CompletionStage<Void> deregistering = world.await(registering).deregister();
            refused(Errno.EBUSY, memory::close);
            world.await(deregistering);
            memory.close();
        }

        @Test
        void aRefusedRegistrationLeavesMemoryUnpinned() {
            HostMemory memory = process.allocate(64);
            refused(Errno.EINVAL, () -> world.await(domain.register(memory, Access.REMOTE_WRITE)));
            refused(Errno.EINVAL, () -> world.await(domain.register(memory, 1, 64, AccessFlags.NONE)));
            world.await(context.closeAsync());
            refused(
                    Errno.EINVAL,
                    () -> world.await(domain.register(Registration.of(memory).withAccess(EVERYTHING))));
            memory.close();
        }

        @Test
        void unmappedMemoryIsNotRegistered() {
            HostMemory memory = process.allocate(64);
            memory.close();
            refused(
                    Errno.EINVAL,
                    () -> world.await(domain.register(Registration.of(memory).withAccess(EVERYTHING))));
        }

        @Test
        void memoryIsNoLeakAndIsUnmappedWhenItsProcessExits() {
            HostMemory memory = process.allocate(64);
            HostMemory mapped = process.map(ByteBuffer.allocateDirect(64));
            MemoryRegion region = registered(memory);
            LeakReport report = world.await(process.exit());
            assertThat(report.toString()).contains(region.describe()).doesNotContain("host memory");
            assertThat(memory.isMapped()).isFalse();
            assertThat(mapped.isMapped()).isFalse();
        }

        @Test
        void anExitedProcessRefusesItsVerbsAndFreesItsName() {
            CompletionStage<LeakReport> exit = process.exit();
            refused(Errno.EINVAL, process::open);
            refused(Errno.EINVAL, () -> process.allocate(64));
            refused(Errno.EINVAL, () -> process.map(ByteBuffer.allocateDirect(64)));
            HostProcess next = adapter.process("app");
            assertThat(next).isNotSameAs(process);
            DeviceContext opened = next.open();
            assertThat(world.await(exit)).isEqualTo(world.await(process.exit()));
            assertThat(adapter.process("app")).isSameAs(next);
            assertThat(world.await(opened.createCq(1)).capacity()).isPositive();
        }

        @Test
        void aRegionOfZeroBytesAllowsOnlyRequestsOfZeroBytes() {
            ProtectionDomain theirs = world.adapter("b").process("app").open().allocatePd();
            HostMemory there = world.adapter("b").process("app").allocate(64);
            MemoryRegion target = world.await(theirs.register(there, 32, 0, AccessFlags.LOCAL_AND_REMOTE));
            MemoryRegion here = registered(process.allocate(64));
            MemoryRegion none = registered(process.allocate(0));
            assertThat(target.lengthBytes()).isZero();

            QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(domain, theirs));
            assertThat(ends(pair, RdmaWrite.of(1, none.slice(0, 0), target.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(world.await(pair.local().submit(RdmaRead.of(2, none.slice(0, 0), target.remote(0))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(ends(pair, RdmaWrite.of(3, here.slice(0, 1), target.remote(0))))
                    .isEqualTo(Status.REM_ACCESS_ERR);

            QpPair<RcQueuePair> other = world.await(QpPair.connectRc(domain, theirs));
            LocalSlice beyond = new LocalSlice(none.lkey(), none.address(), 1);
            assertThat(ends(other, RdmaWrite.of(4, beyond, target.remote(0)))).isEqualTo(Status.LOC_PROT_ERR);
        }

        private Status ends(QpPair<RcQueuePair> pair, RdmaWrite write) {
            return world.await(pair.local().submit(write)).status();
        }
    }

    @Nested
    class OnRealThreads {
        private static final int MEBIBYTE = 1 << 20;

        /** The build runs with 1 GiB of direct memory; the test uses more in total. */
        @Tag("judge")
        @Test
        void moreMemoryThanTheJvmHasIsAllocatedUsedAndFreed() {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                HostProcess process =
                        network.addAdapter("a", Profile.CONNECTX_5).process("app");
                ProtectionDomain domain = process.open().allocatePd();
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(domain, domain));
                List<HostMemory> closed = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    HostMemory memory = process.allocate(64 * MEBIBYTE);
                    MemoryRegion region = network.await(
                            domain.register(Registration.of(memory).withAccess(EVERYTHING)));
                    WorkCompletion done =
                            network.await(pair.local().submit(RdmaWrite.of(i, region.slice(0, 64), region.remote(64))));
                    assertThat(done.status()).isEqualTo(Status.SUCCESS);
                    network.await(region.deregister());
                    memory.close();
                    closed.add(memory);
                }
                assertThat(closed).noneMatch(HostMemory::isMapped);
            }
        }

        @Tag("judge")
        @Test
        void moreMemoryThanTheJvmHasIsFreedByExits() {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
                List<HostProcess> gone = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    HostProcess process = adapter.process("service");
                    ProtectionDomain domain = process.open().allocatePd();
                    network.await(domain.register(
                            Registration.of(process.allocate(64 * MEBIBYTE)).withAccess(EVERYTHING)));
                    network.await(process.exit());
                    gone.add(process);
                }
                assertThat(gone).doesNotHaveDuplicates();
            }
        }

        @Test
        void aClosingNetworkUnmapsMemoryOfItsProcesses() {
            HostMemory memory;
            try (RdmaNetwork network = RdmaNetwork.start()) {
                memory = network.addAdapter("a", Profile.CONNECTX_5)
                        .process("app")
                        .allocate(64);
            }
            assertThat(memory.isMapped()).isFalse();
        }
    }
}
