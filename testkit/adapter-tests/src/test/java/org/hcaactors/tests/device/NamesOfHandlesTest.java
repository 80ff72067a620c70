// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.FabricWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handle's text describes it in one line, for debuggers and logs. */
class NamesOfHandlesTest {
    private final World world = World.of(9);
    private final Adapter alice = world.network().addAdapter("alice", Profile.CONNECTX_5);
    private final HostProcess app = alice.process("app");
    private final DeviceContext context = app.open();
    private final ProtectionDomain pd = context.allocatePd();

    @AfterEach
    void end() {
        world.close();
    }

    private <T> T made(CompletionStage<T> stage) {
        return world.await(stage);
    }

    @Test
    void objectsAreNamedAfterTheirOwners() {
        assertThat(world).hasToString("world of seed 9");
        assertThat(world.network()).hasToString("network of alice");
        assertThat(alice).hasToString("alice (ConnectX-5)");
        assertThat(app).hasToString("process app of alice");
        assertThat(context).hasToString("context of app on alice");
        assertThat(pd).hasToString("protection domain 1 of alice");
        try (FabricWatch watch = world.network().watch(1)) {
            assertThat(watch).hasToString("a watch of the fabric");
        }
    }

    @Test
    void aQueueIsNamedByItsNumberAdapterAndKind() {
        QueuePair rc = made(pd.createQp(QpDescription.rc())),
                uc = made(pd.createQp(QpDescription.uc())),
                ud = made(pd.createQp(QpDescription.ud()));
        assertThat(rc).hasToString("queue pair " + rc.number() + " of alice (RC)");
        assertThat(uc).hasToString("queue pair " + uc.number() + " of alice (UC)");
        assertThat(ud).hasToString("queue pair " + ud.number() + " of alice (UD)");
        CompletionQueue cq = made(context.createCq(8));
        assertThat(cq).hasToString("completion queue " + cq.number() + " of alice");
        assertThat(made(pd.createSrq(SrqDescription.DEFAULT))).hasToString("shared receive queue 1 of alice");
        assertThat(made(context.createChannel())).hasToString("completion channel 1 of alice");
    }

    @Test
    void memoryAndAddressesAreNamedByTheirContents() {
        HostMemory memory = app.allocate(64);
        assertThat(memory).hasToString("host memory at 0x%x, 64 bytes".formatted(memory.address()));
        MemoryRegion region = made(pd.register(memory, Access.LOCAL_WRITE));
        assertThat(region).hasToString("memory region 0x%08x, 64 bytes".formatted(region.lkey()));
        AddressHandle address = made(pd.createAddressHandle(AddressVector.to(alice.gid())));
        assertThat(address).hasToString("address handle to 10.0.0.1");
    }
}
