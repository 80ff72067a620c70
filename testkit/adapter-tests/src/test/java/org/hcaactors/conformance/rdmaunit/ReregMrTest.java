// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that are reregistered, or zero-based: mr_test.cc, access_test.cc. */
@Tag("judge")
class ReregMrTest {
    private static final int READS = 50;

    private final Ground ground = new Ground(Wiring.LOOPBACK);
    private final ConnectedPair pair = ground.pair();
    private final MemoryRegion region = pair.b().region();

    @AfterEach
    void close() {
        ground.close();
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-unit-test:MrTest.ReregMrChangeAddress")
    void aReregisteredRegionHasItsNewMemory() {
        HostMemory next = pair.b().context().process().allocate(Ground.PAGE);
        ground.await(region.reregister(Reregistration.of(Change.TRANSLATION).withTranslation(next)));
        assertThat(region.address()).isEqualTo(next.address());
        assertThat(region.lengthBytes()).isEqualTo(next.lengthBytes());
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-unit-test:MrTest.ReregMrChangePd")
    void aReregisteredRegionHasItsNewDomain() {
        ProtectionDomain next = pair.b().context().allocatePd();
        ground.await(region.reregister(Reregistration.of(Change.DOMAIN).withDomain(next)));
        refused(Errno.EBUSY, () -> ground.await(next.closeAsync()));
    }

    // rule memory-reregister-fails
    @Test
    @Tag("rdma-unit-test:MrTest.ReregMrInvalidPermission")
    void inconsistentRightsAreRefused() {
        Reregistration wrong = Reregistration.of(Change.ACCESS).withAccess(Access.REMOTE_WRITE);
        refused(Errno.EINVAL, () -> ground.await(region.reregister(wrong)));
    }

    @Test
    @Tag("rdma-unit-test:MrTest.ReregMrInvalidBuffer")
    void aReregistrationToNoBytesIsRefused() {
        HostMemory memory = region.memory();
        refused(
                Errno.EINVAL,
                () -> ground.await(region.reregister(Reregistration.of(Change.TRANSLATION)
                        .withTranslation(Registration.of(memory).withRange(0, 0)))));
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-unit-test:MrLoopbackTest.ReregMrChangeAccess")
    void readsSucceedUntilTheirRightIsRevoked() {
        List<CompletionStage<WorkCompletion>> reads = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            reads.add(pair.a().qp().submit(RdmaRead.of(i, pair.a().slice(0, 64), region.remote(0))));
        }
        ground.await(reads.get(READS / 2));
        ground.await(region.reregister(Reregistration.of(Change.ACCESS).withAccess(Access.LOCAL_WRITE)));
        reads.add(pair.a().qp().submit(RdmaRead.of(READS, pair.a().slice(0, 64), region.remote(0))));
        List<Status> ends =
                reads.stream().map(ground::await).map(WorkCompletion::status).toList();
        int failed = ends.indexOf(Status.REM_ACCESS_ERR);
        assertThat(failed).isNotNegative();
        assertThat(ends.subList(0, failed)).containsOnly(Status.SUCCESS);
        assertThat(ends.subList(failed + 1, ends.size())).allMatch(Status.WR_FLUSH_ERR::equals);
    }

    // rule memory-iova
    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:RdmaAccessTest.ZeroBasedAccess")
    void addressesOfAZeroBasedRegionAreOffsets(Verb verb) {
        HostMemory memory = pair.b().context().process().allocate(Ground.PAGE);
        Registration requested = Registration.of(memory).withZeroBased().withAccess(AccessFlags.LOCAL_AND_REMOTE);
        MemoryRegion zero = ground.await(pair.b().domain().register(requested));
        assertThat(ground.await(pair.a().qp().submit(verb.work(1, pair.a().slice(0, 64), zero.remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }
}
