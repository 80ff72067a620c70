// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

// rule memory-locked
/** The limit of pinned memory per process: {@code ulimit -l}. */
class LockedMemoryTest {
    private static final int PAGE = 4096;
    private static final HostMachine FOUR_PAGES = HostMachine.DEFAULT.withLockedMemory(4 * PAGE + 100);

    private final World world = World.of(3);
    private final Adapter adapter = world.network().addAdapter("a", Profile.CONNECTX_5, World.DEFAULT_LINK, FOUR_PAGES);
    private final HostProcess process = adapter.process("app");
    private final ProtectionDomain domain = process.open().allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private MemoryRegion registered(Registration requested) {
        return world.await(domain.register(requested));
    }

    private void refused(CompletionStage<?> verb) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        reason -> assertThat(reason.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("the process may have 16384 bytes locked (ulimit -l)");
    }

    @Test
    void aRegistrationBeyondTheLimitIsRefusedAndPinsNothing() {
        HostMemory memory = process.allocate(8 * PAGE);
        refused(domain.register(memory));
        MemoryRegion region = registered(Registration.of(memory).withRange(0, 3 * PAGE));
        refused(domain.register(Registration.of(memory).withRange(0, PAGE + 1)));
        MemoryRegion last = registered(Registration.of(memory).withRange(1, 10));
        world.await(region.deregister());
        registered(Registration.of(memory).withRange(0, 3 * PAGE));
        world.await(last.deregister());
    }

    @Test
    void aPageOfTwoRegionsCountsTwice() {
        HostMemory memory = process.allocate(4 * PAGE);
        registered(Registration.of(memory).withRange(PAGE - 1, 2));
        registered(Registration.of(memory).withRange(PAGE - 1, 2));
        refused(domain.register(Registration.of(memory).withRange(0, 1)));
    }

    @Test
    void onDemandRegionsDoNotCount() {
        HostMemory memory = process.allocate(8 * PAGE);
        assertThat(registered(Registration.of(memory).withOnDemandPaging()).lengthBytes())
                .isEqualTo(8 * PAGE);
    }

    @Test
    void allocatedMemoryAboveTheLimitIsFreed() {
        List<FreeMemory> before = adapter.freeMemory();
        refused(domain.register(Registration.allocated(8 * PAGE)));
        assertThat(adapter.freeMemory()).isEqualTo(before);
        registered(Registration.allocated(4 * PAGE));
    }

    // rule memory-reregister-fails
    @Test
    void newMemoryIsPinnedBeforeTheOldIsReleased() {
        MemoryRegion region = registered(Registration.of(process.allocate(3 * PAGE)));
        HostMemory other = process.allocate(3 * PAGE);
        refused(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(other)));
        world.await(region.deregister());
        registered(Registration.of(other));
    }

    @Test
    void rootHasNoLimit() {
        HostProcess root = adapter.process("root", Credentials.ROOT);
        ProtectionDomain own = root.open().allocatePd();
        assertThat(world.await(own.register(root.allocate(64 * PAGE))).lengthBytes())
                .isEqualTo(64 * PAGE);
    }

    @Test
    void aNegativeLimitOfLockedMemoryIsRefused() {
        assertThatThrownBy(() -> HostMachine.DEFAULT.withLockedMemory(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the limit of locked memory is -1 bytes; 0 and more is allowed");
    }
}
