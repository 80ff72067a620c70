// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.util.function.UnaryOperator;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A paging feature is used and reported only if both firmware and driver have it. */
class AgreedPagingTest {
    private static final PagingCapabilities ALL = Profile.CONNECTX_5.paging();

    /** The side that lacks a feature. */
    private enum Lacking {
        FIRMWARE,
        DRIVER;

        Profile of(UnaryOperator<PagingCapabilities> less) {
            PagingCapabilities few = less.apply(ALL);
            return Profile.CONNECTX_5.with(
                    this == FIRMWARE ? new PagingSupport(few, ALL) : new PagingSupport(ALL, few));
        }
    }

    private static Status run(Paged paged, RcWork work) {
        return paged.world.await(paged.pair.a().qp().submit(work)).status();
    }

    private static void refused(Paged paged, Registration requested, String words) {
        assertThatThrownBy(() -> paged.world.await(paged.pair.b().domain().register(requested)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(words);
    }

    // rules paging-agreed, paging-transports
    @ParameterizedTest
    @EnumSource
    void aUseOfOneSideOnlyWaitsForNoPage(Lacking side) {
        Profile profile = side.of(all -> all.with(Transport.RC, Use.SEND, Use.RECEIVE, Use.READ));
        try (Paged paged = Paged.with(profile)) {
            assertThat(paged.there.profile().paging().uses(Transport.RC))
                    .containsExactly(Use.SEND, Use.RECEIVE, Use.READ);
            RdmaRead read = RdmaRead.of(1, paged.pair.a().region().slice(0, PAGE), paged.b.remote(0));
            assertThat(run(paged, read)).isEqualTo(Status.SUCCESS);
            RdmaWrite write = RdmaWrite.of(2, paged.pair.a().region().slice(0, PAGE), paged.b.remote(PAGE));
            assertThat(run(paged, write)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().pageFaults()).as("of the READ").isEqualTo(1);
        }
    }

    // rules paging-agreed, paging-registers
    @ParameterizedTest
    @EnumSource
    void regionsSupportedByOneSideOnlyAreRefused(Lacking side) {
        try (Paged paged = Paged.with(side.of(all -> all.without(Feature.IMPLICIT)))) {
            refused(
                    paged,
                    Registration.wholeAddressSpace().withOnDemandPaging(),
                    "does not support regions of a whole address space");
        }
        try (Paged paged = Paged.pinned(side.of(all -> all.without(Feature.EXPLICIT)))) {
            Registration requested = Registration.of(paged.b.memory()).withOnDemandPaging();
            refused(paged, requested, "does not support on-demand regions");
            assertThat(paged.there.profile().paging()).isEqualTo(PagingCapabilities.NONE);
        }
    }

    // rules paging-agreed, paging-capi
    @ParameterizedTest
    @EnumSource
    void anAdapterReadsTheHostsTablesIfBothSidesSupportIt(Lacking side) {
        PagingSupport both = PagingSupport.both(ALL.with(Feature.HOST_TABLES));
        PagingSupport one = side == Lacking.DRIVER ? both.withDriver(ALL) : both.withFirmware(ALL);
        try (Paged paged = Paged.with(Profile.CONNECTX_5.with(one))) {
            paged.b.memory().write(0, new byte[PAGE]);
            assertThat(run(paged, RdmaWrite.of(1, paged.pair.a().region().slice(0, PAGE), paged.b.remote(0))))
                    .isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaultPages())
                    .as("it has tables of its own")
                    .isEqualTo(1);
        }
    }

    // rule paging-largest
    @Test
    void withoutAnExtendedOffsetARegionHas256MiBAtMost() {
        long max = 256L << 20;
        try (Paged paged = Paged.with(Profile.CONNECTX_4)) {
            assertThat(paged.world
                            .await(paged.pair
                                    .b()
                                    .domain()
                                    .register(Registration.addresses(0, max).withOnDemandPaging()))
                            .lengthBytes())
                    .isEqualTo(max);
            refused(
                    paged,
                    Registration.addresses(0, max + 1).withOnDemandPaging(),
                    "ConnectX-4 allows on-demand regions of at most 268435456 bytes");
            refused(
                    paged,
                    Registration.wholeAddressSpace().withOnDemandPaging(),
                    "does not support regions of a whole address space");
        }
        try (Paged paged = Paged.of(1)) {
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .register(Registration.addresses(0, max + 1).withOnDemandPaging()));
        }
    }

    // rule paging-transports
    @Test
    void anAtomicWithoutPagingSupportNeedsItsPageMapped() {
        try (Paged paged = Paged.with(Profile.CONNECTX_4)) {
            paged.world.await(paged.pair
                    .b()
                    .domain()
                    .advise(Prefetch.of(Purpose.WRITE, paged.b.slice(0, PAGE)).withFlush()));
            FetchAdd there = FetchAdd.of(1, paged.pair.a().region().slice(0, 8), paged.b.remote(0), 5);
            assertThat(run(paged, there)).isEqualTo(Status.SUCCESS);
            FetchAdd absent = FetchAdd.of(2, paged.pair.a().region().slice(0, 8), paged.b.remote(PAGE), 5);
            assertThat(run(paged, absent)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().pageFaults()).isZero();
        }
    }
}
