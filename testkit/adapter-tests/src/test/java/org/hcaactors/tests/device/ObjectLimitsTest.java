// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As many objects of each kind as the profile allows, and no more. */
class ObjectLimitsTest {
    private static final Profile FEW = Profile.CONNECTX_5.with(ObjectCapabilities.DEFAULT
            .withMaxQueuePairs(2)
            .withMaxCompletionQueues(2)
            .withMaxSharedReceiveQueues(2)
            .withMaxRegions(2)
            .withMaxDomains(2)
            .withMaxAddressHandles(2)
            .withMaxMulticastGroups(1)
            .withMaxGroupMembers(1)
            .withMaxMemberships(1));

    private final World world = World.of(32);
    private final Adapter adapter = world.network().addAdapter("few", FEW);
    private final HostProcess here = adapter.process("here");
    private final HostProcess there = adapter.process("there");
    private final DeviceContext context = here.open();
    private final ProtectionDomain domain = context.allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private static void full(ThrowingCallable creation, String what) {
        assertThatThrownBy(creation)
                .hasMessageContaining("all 2 " + what + " of the adapter are in use")
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }

    /** One object is created by each of two processes; a third is possible when one is closed, or a process has ended. */
    private void twoOf(
            String what,
            Supplier<CompletionStage<? extends Handle>> one,
            Supplier<CompletionStage<? extends Handle>> other) {
        Handle first = world.await(one.get());
        world.await(other.get());
        for (int i = 0; i < 2; i++) {
            full(() -> world.await(one.get()), what);
        }
        world.await(first.closeAsync());
        world.await(other.get());
        full(() -> world.await(one.get()), what);
        world.await(there.exit());
        world.await(one.get());
        world.await(one.get());
        full(() -> world.await(one.get()), what);
    }

    // rule event-object-limits
    @Test
    void theCompletionQueuesOfAllProcessesAreLimited() {
        DeviceContext elsewhere = there.open();
        twoOf("completion queues", () -> context.createCq(1), () -> elsewhere.createCq(1));
    }

    // rule event-object-limits
    @Test
    void theDomainsOfAllProcessesAreLimited() {
        world.await(domain.closeAsync());
        DeviceContext elsewhere = there.open();
        twoOf(
                "protection domains",
                () -> CompletableFuture.completedStage(context.allocatePd()),
                () -> CompletableFuture.completedStage(elsewhere.allocatePd()));
    }

    // rule event-object-limits
    @Test
    void theSharedReceiveQueuesOfAllProcessesAreLimited() {
        ProtectionDomain elsewhere = there.open().allocatePd();
        twoOf(
                "shared receive queues",
                () -> domain.createSrq(SrqDescription.of(1)),
                () -> elsewhere.createSrq(SrqDescription.of(1)));
    }

    // rule event-object-limits
    @Test
    void theRegionsOfAllProcessesAreLimited() {
        ProtectionDomain elsewhere = there.open().allocatePd();
        twoOf(
                "regions",
                () -> domain.register(Registration.of(here.allocate(8))),
                () -> elsewhere.register(Registration.of(there.allocate(8))));
    }

    // rule event-object-limits
    @Test
    void theAddressHandlesOfAllProcessesAreLimited() {
        AddressVector vector = AddressVector.to(GlobalRoute.to(Gid.ofIpv4(10, 0, 0, 9)));
        ProtectionDomain elsewhere = there.open().allocatePd();
        twoOf("address handles", () -> domain.createAddressHandle(vector), () -> elsewhere.createAddressHandle(vector));
    }

    // rule event-object-limits
    @Test
    void theQueuePairsOfAllProcessesAreLimited() {
        DeviceContext elsewhere = there.open();
        ProtectionDomain otherDomain = elsewhere.allocatePd();
        CompletionQueue own = world.await(context.createCq(1));
        CompletionQueue others = world.await(elsewhere.createCq(1));
        twoOf(
                "queue pairs",
                () -> domain.createQp(QpDescription.rc().withSendCq(own)),
                () -> otherDomain.createQp(QpDescription.uc().withSendCq(others)));
    }

    // rule event-object-limits
    @Test
    void anObjectThatWasNotCreatedCountsNot() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> world.await(context.createCq(0))).isInstanceOf(VerbsException.class);
            assertThatThrownBy(() -> world.await(domain.createSrq(SrqDescription.of(1 << 20))))
                    .isInstanceOf(VerbsException.class);
        }
        world.await(context.createCq(1));
        world.await(context.createCq(1));
        world.await(domain.createSrq(SrqDescription.of(1)));
        world.await(domain.createSrq(SrqDescription.of(1)));
    }

    // rules event-object-limits, firmware-restart
    @Test
    void anAdapterThatRestartedHasNoObjects() {
        world.await(context.createCq(1));
        world.await(context.createCq(1));
        world.await(adapter.firmware().restart(Restart.WARM_REBOOT));
        DeviceContext again = there.open();
        world.await(again.createCq(1));
        world.await(again.createCq(1));
        full(() -> world.await(again.createCq(1)), "completion queues");
    }

    private UdQueuePair datagrams() {
        UdQueuePair qp = world.await(domain.createQp(QpDescription.ud()));
        world.await(qp.activate(QKey.of(1)));
        return qp;
    }

    // rule ud-multicast-limits
    @Test
    void anAttachmentBeyondTheLimitIsRefused() {
        Gid group = Gid.ofIpv4(239, 0, 0, 1);
        UdQueuePair first = datagrams();
        UdQueuePair second = datagrams();
        world.await(first.attachMulticast(group));
        world.await(first.attachMulticast(group));
        assertThatThrownBy(() -> world.await(second.attachMulticast(group)))
                .hasMessageContaining("1 queue pairs of the adapter are attached to multicast group 239.0.0.1")
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        world.await(first.detachMulticast(group));
        world.await(second.attachMulticast(group));
        world.await(second.closeAsync());
        world.await(first.attachMulticast(group));
    }
}
