// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Inline sizes that a program can query, and refusals because of inline data. */
class InlineTermsOnAdaptersTest {
    private static final AccessFlags ALL = AccessFlags.LOCAL_AND_REMOTE;
    private static final QpCapacity INLINE = QpCapacity.DEFAULT.withMaxInlineReceiveBytes(20);

    private final InlineSetup ground = new InlineSetup(49);
    private final World world = ground.world;

    @AfterEach
    void close() {
        ground.close();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private DeviceContext open(Map<String, String> environment) {
        return ground.b.adapter().process("other").open(environment);
    }

    private QpCapacity granted(DeviceContext context) {
        return world.await(context.allocatePd()
                        .createQp(QpDescription.rc().withCapacity(INLINE).withSignalAll()))
                .capacity();
    }

    // rule inline-size
    @Test
    void theSizeThatIsGrantedCanBeRead() {
        assertThat(ground.a.qp().capacity().maxInlineReceiveBytes()).isEqualTo(32);
        assertThat(ground.a.qp().capacity().maxInlineResultBytes()).isEqualTo(32);
        ProtectionDomain domain = open(Map.of()).allocatePd();
        CompletionQueue large =
                world.await(domain.context().createCq(CqDescription.of(8).withEntryBytes(128)));
        assertThat(large.entryBytes()).isEqualTo(128);
        QpCapacity both = world.await(
                        domain.createQp(QpDescription.uc().withCapacity(INLINE).withSendCq(large)))
                .capacity();
        assertThat(both.maxInlineReceiveBytes()).isEqualTo(64);
        assertThat(both.maxInlineResultBytes()).isZero();
        assertThat(world.await(domain.createQp(QpDescription.rc())).capacity().maxInlineReceiveBytes())
                .as("without a request")
                .isZero();
        assertThat(world.await(domain.createQp(QpDescription.ud().withCapacity(INLINE)))
                        .capacity()
                        .maxInlineReceiveBytes())
                .isZero();
    }

    // rule inline-size
    @Test
    void theProfileLimitsInlineSizes() {
        assertThat(Profile.CONNECTX_5.queues().maxInlineReceiveBytes()).isEqualTo(64);
        assertThat(Profile.CONNECTX_5.completions().maxEntryBytes()).isEqualTo(128);
        assertThat(Profile.SOFT_ROCE.queues().maxInlineReceiveBytes()).isZero();
        DeviceContext soft = world.network()
                .addAdapter("soft", Profile.SOFT_ROCE)
                .process("app")
                .open();
        assertThat(granted(soft).maxInlineReceiveBytes()).isZero();
        refused(
                Errno.EOPNOTSUPP,
                () -> world.await(soft.createCq(CqDescription.of(8).withEntryBytes(128))));
        refused(
                Errno.EOPNOTSUPP,
                () -> world.await(
                        soft.allocatePd().createQp(QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED))));
    }

    @Test
    void aQueuePairRefusedLateLeavesNoCompletionQueueOfItsOwn() {
        DeviceContext soft = world.network()
                .addAdapter("soft", Profile.SOFT_ROCE)
                .process("app")
                .open();
        DeviceContext huge = open(Map.of("MLX_QP_ALLOC_TYPE", "HUGE"));
        refused(
                Errno.EOPNOTSUPP,
                () -> world.await(
                        soft.allocatePd().createQp(QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED))));
        refused(Errno.ENOMEM, () -> world.await(huge.allocatePd().createQp(QpDescription.rc())));
        world.settle();
        assertThat(soft.openObjects().leaks()).hasSize(1);
        assertThat(huge.openObjects().leaks()).hasSize(1);
    }

    // rules inline-variables, inline-entry-size, inline-flags
    @Test
    void theContextsEnvironmentApplies() {
        assertThat(granted(open(Map.of("MLX5_SCATTER_TO_CQE", "0"))).maxInlineReceiveBytes())
                .isZero();
        QpCapacity large = granted(open(Map.of("MLX5_CQE_SIZE", "128")));
        assertThat(large.maxInlineReceiveBytes()).isEqualTo(64);
        assertThat(large.maxInlineResultBytes()).isEqualTo(64);
        refused(Errno.EINVAL, () -> granted(open(Map.of("MLX5_CQE_SIZE", "32"))));
    }

    // rule inline-addresses
    @Test
    void aReceiveUnderAKeyOfOtherAddressesIsRefusedWhenItIsPosted() {
        ProtectionDomain domain = ground.b.domain();
        HostMemory memory = ground.b.memory();
        MemoryRegion nothing = world.await(domain.allocateNullMr());
        IndirectKey indirect = world.await(domain.createIndirectKey(IndirectKeyDescription.of(4)));
        MemoryRegion moved = world.await(
                domain.register(Registration.of(memory).withAddress(0).withAccess(ALL)));
        MemoryRegion device = world.await(domain.register(
                Registration.of(domain.context().process().allocatePeer(4096)).withAccess(ALL)));
        for (int key : new int[] {nothing.lkey(), indirect.lkey(), moved.lkey(), device.lkey()}) {
            LocalSlice slice = new LocalSlice(key, memory.address(), 64);
            refused(Errno.EINVAL, () -> ground.b.postReceive(Receive.of(1, ground.b.slice(0, 8), slice)));
            refused(
                    Errno.EINVAL,
                    () -> ground.b.post(RdmaRead.of(1, new LocalSlice(key, memory.address(), 32), ground.a.remote(0))));
            refused(
                    Errno.EINVAL,
                    () -> ground.b.post(
                            FetchAdd.of(1, new LocalSlice(key, memory.address(), 8), ground.a.remote(0), 1)));
            ground.b.postReceive(Receive.of(1, new LocalSlice(key, memory.address(), 0)));
            ground.b.post(
                    RdmaRead.of(2, new LocalSlice(ground.b.region().lkey(), memory.address(), 0), ground.a.remote(0)));
        }
        assertThatThrownBy(() -> ground.b.postReceive(Receive.of(1, moved.slice(0, 8))))
                .hasMessageContaining("has addresses other than those of its memory")
                .hasMessageContaining("only keys with the process's own addresses are allowed");
        ground.b.post(RdmaWrite.of(3, moved.slice(0, 8), ground.a.remote(64)));
        ground.b.post(RdmaRead.of(4, moved.slice(0, 33), ground.a.remote(0)));
        world.settle();
        assertThat(world.await(ground.b.sendCq().poll(9)))
                .allMatch(done -> done.isSuccess())
                .hasSize(6);
    }

    // rules inline-addresses, atomic-not-inline
    @Test
    void aMaskedResultIsNeverInlineAndMayHaveAnyKey() {
        MemoryRegion nothing = world.await(ground.b.domain().allocateNullMr());
        ground.b.post(MaskedFetchAdd.of(1, new LocalSlice(nothing.lkey(), 0, 8), ground.a.remote(0), 1));
        world.settle();
        assertThat(ground.poll(ground.b.sendCq()).isSuccess()).isTrue();
    }

    // rule inline-addresses
    @Test
    void physicalAddressesAreRefusedToo() {
        ProtectionDomain domain = ground.b
                .adapter()
                .process("root", org.hcaactors.api.device.Credentials.ROOT)
                .open()
                .allocatePd();
        MemoryRegion physical =
                world.await(domain.register(Registration.physical().withAccess(ALL)));
        refused(
                Errno.EINVAL,
                () -> ground.b.postReceive(Receive.of(
                        1, new LocalSlice(physical.lkey(), ground.b.memory().busAddress(), 64))));
    }

    // rule inline-addresses
    @Test
    void aKeyIsCheckedAgainstItsRegionsCurrentAddresses() {
        ProtectionDomain domain = ground.b.domain();
        HostMemory memory = ground.b.memory();
        Registration plain = Registration.of(memory).withAccess(ALL);
        MemoryRegion region = world.await(domain.register(plain));
        ground.b.postReceive(Receive.of(1, region.slice(0, 8)));
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(plain.withAddress(0))));
        LocalSlice moved = region.slice(0, 8);
        refused(Errno.EINVAL, () -> ground.b.postReceive(Receive.of(2, moved)));
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(plain)));
        ground.b.postReceive(Receive.of(3, region.slice(0, 8)));
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(plain.withAddress(0))));
        world.await(region.deregister());
        ground.b.postReceive(Receive.of(4, moved));
    }

    // rule inline-addresses
    @Test
    void aKeyRemappedAfterPostingIsAProtectionError() {
        ProtectionDomain domain = ground.b.domain();
        HostMemory memory = ground.b.memory();
        Registration plain = Registration.of(memory).withAccess(ALL);
        MemoryRegion region = world.await(domain.register(plain));
        ground.send(Receive.of(1, region.slice(0, 8)), org.hcaactors.api.work.Send.of(1, ground.a.slice(0, 8)));
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(plain.withAddress(0))));
        assertThat(ground.poll(ground.b.recvCq()).status()).isEqualTo(org.hcaactors.api.completion.Status.LOC_PROT_ERR);
    }
}
