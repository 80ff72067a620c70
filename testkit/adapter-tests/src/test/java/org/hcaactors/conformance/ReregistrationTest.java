// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.MW_BIND;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;
import static org.hcaactors.api.memory.Reregistration.Change.ACCESS;
import static org.hcaactors.api.memory.Reregistration.Change.DOMAIN;
import static org.hcaactors.api.memory.Reregistration.Change.TRANSLATION;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reregistration of regions, with the names of rdma-core's tests. */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class ReregistrationTest {
    private static final int PAGE = 4096;
    private static final Reregistration NO_REMOTE = Reregistration.of(ACCESS).withAccess(LOCAL_WRITE);

    private final TwoEnds ends;
    private final Adapter a;
    private final ConnectedPair pair;
    private final MemoryRegion region;

    ReregistrationTest(Layout layout) {
        ends = layout.open(29, Profile.CONNECTX_6);
        a = ends.a();
        Shape shape = Shape.DEFAULT.with(ends.terms()).withMemoryBytes(4 * PAGE);
        pair = ConnectedPair.between(ends.network(), a, ends.b(), shape);
        region = pair.b().region();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private void become(Reregistration requested) {
        ends.await(region.reregister(requested));
    }

    private Status write(RemoteAddress to) {
        return status(RdmaWrite.of(1, pair.a().slice(0, 8), to));
    }

    private Status status(RcWork work) {
        return ends.await(pair.a().qp().submit(work)).status();
    }

    private HostMemory memory(long bytes) {
        return pair.b().context().process().allocate(bytes);
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-core:test_mr.MRTest.test_mr_rereg_access")
    void aRevokedRightIsDenied() {
        assertThat(write(region.remote(0))).isEqualTo(Status.SUCCESS);
        become(NO_REMOTE);
        assertThat(region.access()).isEqualTo(AccessFlags.of(LOCAL_WRITE));
        assertThat(write(region.remote(0))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-core:test_mr.MRTest.test_mr_rereg_access_bad_flow")
    void inconsistentRightsAreRefused() {
        refused(Errno.EINVAL, () -> become(Reregistration.of(ACCESS).withAccess(REMOTE_WRITE)));
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-core:test_mr.MRTest.test_mr_rereg_pd")
    void aReceiveInARegionOfANewDomainIsARemoteOperationError() {
        ProtectionDomain other = pair.b().context().allocatePd();
        pair.b().qp().postReceive(Receive.of(5, region.slice(0, 64)));
        become(Reregistration.of(DOMAIN).withDomain(other));
        assertThat(status(Send.of(1, pair.a().slice(0, 64)))).isEqualTo(Status.REM_OP_ERR);
        assertThat(ends.polled(pair.b().recvCq(), 1))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.LOC_PROT_ERR);
    }

    // rule memory-reregister
    @Test
    void aMovedRegionBelongsToItsNewDomainOnly() {
        ProtectionDomain old = pair.b().context().allocatePd();
        ProtectionDomain next = pair.b().context().allocatePd();
        MemoryRegion moved = ends.await(old.register(memory(PAGE), LOCAL_WRITE));
        refused(Errno.EBUSY, old::close);
        ends.await(moved.reregister(Reregistration.of(DOMAIN).withDomain(next)));
        old.close();
        refused(Errno.EBUSY, next::close);
        ends.await(moved.deregister());
        next.close();
    }

    // rule memory-reregister
    @Test
    @Tag("rdma-core:test_mr.MRTest.test_mr_rereg_addr")
    void aReregisteredRegionMapsTheNewMemoryAndReleasesTheOld() {
        HostMemory first = region.memory();
        HostMemory next = memory(2 * PAGE);
        RemoteAddress before = region.remote(0);
        refused(Errno.EBUSY, first::close);
        become(Reregistration.of(TRANSLATION).withTranslation(next));
        assertThat(region.address()).isEqualTo(next.address());
        assertThat(region.lengthBytes()).isEqualTo(2 * PAGE);
        assertThat(region.memory()).isSameAs(next);
        first.close();
        refused(Errno.EBUSY, next::close);
        pair.a().memory().writeLong(0, 4711);
        assertThat(write(region.remote(PAGE))).isEqualTo(Status.SUCCESS);
        assertThat(next.readLong(PAGE)).isEqualTo(4711);
        assertThat(write(before)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule memory-reregister
    @Test
    void attributesNotNamedAsAChangeAreIgnored() {
        ProtectionDomain closed = a.process("other").open().allocatePd();
        HostMemory foreign = a.process("other").allocate(8);
        Reregistration all = NO_REMOTE.withTranslation(foreign).withDomain(closed);
        become(all);
        assertThat(region.lengthBytes()).isEqualTo(4 * PAGE);
        assertThat(status(RdmaRead.of(1, pair.a().slice(0, 8), region.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
        MemoryRegion second = ends.await(pair.b().domain().register(memory(PAGE), LOCAL_WRITE, REMOTE_READ));
        HostMemory next = memory(PAGE);
        Reregistration place = Reregistration.of(TRANSLATION)
                .withTranslation(next)
                .withDomain(closed)
                .withAccess(REMOTE_WRITE);
        ends.await(second.reregister(place));
        assertThat(second.access()).isEqualTo(AccessFlags.of(LOCAL_WRITE, REMOTE_READ));
        assertThat(second.memory()).isSameAs(next);
    }

    // rule memory-reregister
    @Test
    void aTranslationChangesTheAddressAndNotTheRights() {
        Registration place = Registration.of(memory(PAGE)).withZeroBased().withAccess(REMOTE_READ);
        become(Reregistration.of(TRANSLATION).withTranslation(place));
        assertThat(region.address()).isZero();
        assertThat(region.access()).isEqualTo(AccessFlags.LOCAL_AND_REMOTE);
        assertThat(write(region.remote(0))).isEqualTo(Status.SUCCESS);
    }

    // rule memory-reregister
    @Test
    void memoryDomainAndRightsChangeTogether() {
        ProtectionDomain other = pair.b().context().allocatePd();
        HostMemory next = memory(PAGE);
        become(Reregistration.of(TRANSLATION, DOMAIN, ACCESS)
                .withTranslation(next)
                .withDomain(other)
                .withAccess(REMOTE_READ));
        assertThat(region.memory()).isSameAs(next);
        assertThat(region.access()).isEqualTo(AccessFlags.of(REMOTE_READ));
        refused(Errno.EBUSY, other::close);
    }

    // rule memory-reregister-key
    @ParameterizedTest(name = "{0} bytes, then {1}")
    @CsvSource({
        "4096, 4096, true",
        "1, 4096, true",
        "4096, 4097, false",
        "8193, 16384, true",
        "8193, 16385, false",
        "65536, 1, true",
        "0, 4096, true",
        "0, 8192, false"
    })
    void theKeyIsKeptIfItHasSpaceForThePages(long first, long then, boolean stays) {
        Registration requested = Registration.of(memory(first)).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        MemoryRegion other = ends.await(pair.b().domain().register(requested));
        int key = other.lkey();
        ends.await(other.reregister(Reregistration.of(TRANSLATION).withTranslation(memory(then))));
        assertThat(other.lkey() == key).isEqualTo(stays);
        assertThat(other.rkey()).isEqualTo(other.lkey());
        assertThat(other.lengthBytes()).isEqualTo(then);
        if (then >= 8) {
            assertThat(write(other.remote(0))).isEqualTo(Status.SUCCESS);
        }
        if (!stays) {
            assertThat(write(new RemoteAddress(key, other.address()))).isEqualTo(Status.REM_ACCESS_ERR);
        }
        ends.await(other.deregister());
    }

    // rule memory-reregister-key
    @Test
    void aShrunkKeyKeepsItsCapacity() {
        int key = region.lkey();
        become(Reregistration.of(TRANSLATION).withTranslation(memory(1)));
        become(Reregistration.of(TRANSLATION).withTranslation(memory(4 * PAGE)));
        assertThat(region.lkey()).isEqualTo(key);
    }

    /** A window on a region of its own, and its address for a peer. */
    private record OnWindow(MemoryRegion region, MemoryWindow window) {
        RemoteAddress remote() {
            return window.remote(region.address());
        }
    }

    private OnWindow onWindow() {
        Registration requested = Registration.of(memory(PAGE)).withAccess(LOCAL_WRITE, MW_BIND);
        MemoryRegion bound = ends.await(pair.b().domain().register(requested));
        MemoryWindow window = ends.await(pair.b().domain().allocateWindow(WindowType.TYPE_2));
        WindowBinding binding = WindowBinding.of(bound).withAccess(REMOTE_WRITE);
        assertThat(ends.await(pair.b().qp().submit(BindWindow.of(1, window, binding)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        return new OnWindow(bound, window);
    }

    // rule memory-held
    @Test
    void aRegionWithAWindowIsNotReregisteredAndStaysUnchanged() {
        OnWindow on = onWindow();
        for (HostMemory next : List.of(memory(PAGE), memory(8 * PAGE))) {
            Reregistration other = Reregistration.of(TRANSLATION).withTranslation(next);
            refused(Errno.EBUSY, () -> ends.await(on.region.reregister(other)));
            next.close();
        }
        refused(Errno.EBUSY, () -> ends.await(on.region.reregister(Reregistration.of(ACCESS))));
        refused(Errno.EBUSY, () -> ends.await(on.region.reregister(Reregistration.of())));
        assertThat(write(on.remote())).isEqualTo(Status.SUCCESS);
        ends.await(on.window.deallocate());
        int key = on.region.lkey();
        ends.await(on.region.reregister(Reregistration.of(TRANSLATION).withTranslation(memory(8 * PAGE))));
        assertThat(on.region.lkey()).isNotEqualTo(key);
    }

    // rule memory-window-fits
    @Test
    void aReregisteredRegionBindsWindowsByItsNewAttributes() {
        ProtectionDomain other = pair.b().context().allocatePd();
        OnWindow on = onWindow();
        ends.await(on.window.deallocate());
        ends.await(on.region.reregister(Reregistration.of(DOMAIN).withDomain(other)));
        MemoryWindow window = ends.await(pair.b().domain().allocateWindow(WindowType.TYPE_2));
        WindowBinding binding = WindowBinding.of(on.region).withAccess(REMOTE_WRITE);
        assertThat(ends.await(pair.b().qp().submit(BindWindow.of(1, window, binding)))
                        .status())
                .isEqualTo(Status.MW_BIND_ERR);
    }

    // rule memory-reregister-fails
    @Test
    void afterARefusalTheRegionIsUndefinedUntilItIsDeregistered() {
        HostMemory memory = region.memory();
        refused(Errno.EINVAL, () -> become(Reregistration.of(TRANSLATION)));
        assertThat(write(region.remote(0))).isEqualTo(Status.REM_ACCESS_ERR);
        refused(Errno.EINVAL, () -> become(NO_REMOTE));
        refused(Errno.EBUSY, memory::close);
        ends.await(region.deregister());
        memory.close();
    }

    private List<Reregistration> wrong() {
        HostMemory gone = memory(8);
        gone.close();
        ProtectionDomain closed = pair.b().context().allocatePd();
        closed.close();
        return List.of(
                Reregistration.of(),
                Reregistration.of(DOMAIN),
                Reregistration.of(TRANSLATION),
                Reregistration.of(TRANSLATION).withTranslation(gone),
                Reregistration.of(TRANSLATION).withTranslation(pair.a().memory()),
                Reregistration.of(TRANSLATION)
                        .withTranslation(Registration.of(memory(8)).withRange(4, 5)),
                Reregistration.of(TRANSLATION)
                        .withTranslation(Registration.of(memory(8)).withAddress(4)),
                Reregistration.of(DOMAIN).withDomain(closed),
                Reregistration.of(DOMAIN).withDomain(pair.a().domain()),
                Reregistration.of(DOMAIN).withDomain(region),
                Reregistration.of(ACCESS).withAccess(REMOTE_WRITE));
    }

    // rule memory-reregister-fails
    @Test
    void anInvalidReregistrationIsRefusedAndHoldsNothing() {
        for (Reregistration requested : wrong()) {
            HostMemory own = memory(PAGE);
            MemoryRegion other = ends.await(pair.b().domain().register(own, LOCAL_WRITE));
            refused(Errno.EINVAL, () -> ends.await(other.reregister(requested)));
            assertThatThrownBy(() -> ends.await(other.reregister(NO_REMOTE))).hasMessageContaining("undefined");
            ends.await(other.deregister());
            own.close();
        }
    }

    // rule memory-reregister-fails
    @Test
    void aFailedReregistrationDoesNotHoldItsNewMemory() {
        HostMemory next = memory(PAGE);
        Reregistration requested =
                Reregistration.of(TRANSLATION, ACCESS).withTranslation(next).withAccess(REMOTE_WRITE);
        refused(Errno.EINVAL, () -> become(requested));
        next.close();
    }

    // rule memory-reregister
    @Test
    void verbsOfARegionAreExecutedInOrder() {
        HostMemory next = memory(32 * PAGE);
        CompletionStage<Void> first =
                region.reregister(Reregistration.of(TRANSLATION).withTranslation(next));
        CompletionStage<Void> second = region.reregister(NO_REMOTE);
        CompletionStage<Void> end = region.deregister();
        CompletionStage<Void> late = region.reregister(NO_REMOTE);
        ends.await(end);
        assertThat(first.toCompletableFuture()).isCompleted();
        assertThat(second.toCompletableFuture()).isCompleted();
        refused(Errno.EINVAL, () -> ends.await(late));
        assertThat(region.access()).isEqualTo(AccessFlags.of(LOCAL_WRITE));
        next.close();
    }

    @Test
    void aProcessThatExitsDuringAReregistrationLeavesNoObject() {
        region.reregister(Reregistration.of(TRANSLATION).withTranslation(memory(32 * PAGE)));
        LeakReport report = ends.await(pair.b().context().process().exit());
        assertThat(report.leaks())
                .extracting(LeakReport.Leak::description)
                .anyMatch(what -> what.contains("memory region"));
    }

    // rule memory-reregister
    @Test
    void aReregistrationToNoBytesIsRefused() {
        MemoryRegion region = ends.await(pair.b().domain().register(pair.b().memory(), LOCAL_WRITE));
        assertThatThrownBy(() -> ends.await(region.reregister(Reregistration.of(TRANSLATION)
                        .withTranslation(Registration.of(pair.b().memory()).withRange(0, 0)))))
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("at least 1 byte");
        assertThatThrownBy(() -> ends.await(
                        region.reregister(Reregistration.of(TRANSLATION).withTranslation(Registration.allocated(0)))))
                .hasMessageContaining("EINVAL");
    }
}
