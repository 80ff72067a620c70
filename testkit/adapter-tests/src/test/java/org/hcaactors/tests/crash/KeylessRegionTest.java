// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** A region that lost its old key and got no other, as its adapter failed. */
class KeylessRegionTest {
    // rule memory-reregister-fails
    @Test
    void aRegionWithoutANewKeyIsListedAndDeregistered() {
        try (World world = World.of(7)) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            HostProcess process = a.process("app");
            ProtectionDomain domain = process.open().allocatePd();
            MemoryRegion region = world.await(domain.register(Registration.of(process.allocate(4096))));
            world.faults().now().crash(a);
            CompletionStage<Void> bigger = region.reregister(
                    Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(process.allocate(8 * 4096)));
            assertThatThrownBy(() -> world.await(bigger)).isInstanceOf(VerbsException.class);
            assertThat(world.runToQuiet(Duration.ofSeconds(60))).isTrue();
            world.await(region.deregister());
            world.await(domain.closeAsync());
        }
    }
}
