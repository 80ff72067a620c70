// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Address handles: ah_test.cc, and their lifecycle in ud_test.cc. */
@Tag("judge")
class AhTest {
    /**
     * Quirk: the suite uses an invalid number and expects an errno; here the handle is destroyed, and destroying it again does
     * nothing.
     */
    @Test
    @Tag("rdma-unit-test:AhTest.CreateAndDestroy")
    @Tag("rdma-unit-test:AhTest.DestroyWithInvalidHandle")
    void anAddressHandleIsCreatedAndDestroyedOnce() {
        try (Ground ground = new Ground(Wiring.LOOPBACK)) {
            DeviceContext context = ground.a().process("app").open();
            ProtectionDomain domain = context.allocatePd();
            AddressVector path = AddressVector.to(ground.a().gid());
            AddressHandle handle = ground.await(domain.createAddressHandle(path));
            refused(Errno.EBUSY, () -> ground.await(domain.closeAsync()));
            assertThat(handle.vector()).isEqualTo(path);
            assertThat(context.openObjects().leaks()).hasSize(2);
            ground.await(handle.destroy());
            ground.await(handle.destroy());
            assertThat(context.openObjects().leaks()).hasSize(1);
        }
    }

    /**
     * Quirk: the suite uses an invalid number, and accepts that the datagram arrives or fails; here the handle is destroyed,
     * and the post is refused.
     */
    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.SendInvalidAh")
    void aDestroyedAddressHandleIsRefused() {
        try (Ground ground = new Ground(Wiring.LOOPBACK)) {
            ProtectionDomain domain = ground.a().process("app").open().allocatePd();
            CompletionQueue cq = ground.await(domain.context().createCq(10));
            UdQueuePair qp = ground.await(domain.createQp(QpDescription.ud().withSendCq(cq)));
            ground.await(qp.activate(QKey.of(200)));
            AddressHandle handle = ground.await(
                    domain.createAddressHandle(AddressVector.to(ground.a().gid())));
            UdAddress to = UdAddress.of(handle, qp.number(), QKey.of(200));
            qp.post(to, Send.of(1).withSignaled());
            ground.await(handle.destroy());
            refused(Errno.EINVAL, () -> qp.post(to, Send.of(2).withSignaled()));
            assertThat(ground.only(cq).isSuccess()).as("what was posted before").isTrue();
        }
    }

    /** On ordinary threads. */
    @Test
    @Tag("rdma-unit-test:LoopbackUdQpTest.MultiThreadedAhLifecycle")
    void threadsMakeAndDestroyAddressHandlesInDomainsOfTheirOwn() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
            DeviceContext context = adapter.process("app").open();
            ThreadGroupRunner.of(16).each(thread -> {
                ProtectionDomain domain = context.allocatePd();
                for (int cycle = 0; cycle < 16; cycle++) {
                    List<AddressHandle> made = Stream.generate(
                                    () -> network.await(domain.createAddressHandle(AddressVector.to(adapter.gid()))))
                            .limit(64)
                            .toList();
                    made.forEach(AddressHandle::close);
                }
                domain.close();
            });
            assertThat(context.openObjects().isEmpty()).isTrue();
        }
    }
}
