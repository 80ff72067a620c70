// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;

/** On-demand paging that firmware and driver have in common. */
class PagingSupportTest {
    private static final PagingCapabilities ALL = everything();

    private static PagingCapabilities everything() {
        PagingCapabilities all = PagingCapabilities.NONE
                .with(Feature.EXPLICIT, Feature.IMPLICIT)
                .withMaxRegionBytes(PagingCapabilities.UNLIMITED);
        for (Transport transport : Transport.values()) {
            all = all.with(transport, Use.values());
        }
        return all;
    }

    // rule paging-agreed
    @Test
    void aUseOfOneSideIsNotAgreed() {
        PagingCapabilities fewer =
                ALL.without(Feature.IMPLICIT).with(Transport.UC).with(Transport.RC, Use.SEND, Use.READ);
        assertThat(new PagingSupport(ALL, fewer).agreed()).isEqualTo(fewer);
        assertThat(new PagingSupport(fewer, ALL).agreed()).isEqualTo(fewer);
        PagingCapabilities others = ALL.with(Transport.RC, Use.READ, Use.ATOMIC);
        assertThat(new PagingSupport(fewer, others).agreed().uses(Transport.RC)).containsExactly(Use.READ);
    }

    // rule paging-agreed
    @Test
    void withoutExplicitOdpOnEitherSideNothingIsAgreed() {
        PagingCapabilities none = ALL.without(Feature.EXPLICIT);
        assertThat(PagingSupport.both(ALL).withDriver(none).agreed()).isEqualTo(PagingCapabilities.NONE);
        assertThat(PagingSupport.both(ALL).withFirmware(none).agreed()).isEqualTo(PagingCapabilities.NONE);
    }

    // rules paging-agreed, paging-largest
    @Test
    void withoutAnExtendedOffsetThereAreNoRegionsOfAllAddresses() {
        PagingCapabilities small = ALL.withMaxRegionBytes(PagingCapabilities.MAX_BYTES_WITHOUT_EXTENDED_OFFSET);
        PagingCapabilities agreed = PagingSupport.both(ALL).withFirmware(small).agreed();
        assertThat(agreed.features()).containsExactly(Feature.EXPLICIT);
        assertThat(agreed.maxRegionBytes()).isEqualTo(256L << 20);
    }

    // rules paging-agreed, paging-capi
    @Test
    void theHostsTablesHaveAllAddressesWhereBothSidesReadThem() {
        PagingCapabilities small = PagingCapabilities.NONE.with(Feature.EXPLICIT);
        PagingCapabilities tables = small.with(Feature.HOST_TABLES);
        assertThat(PagingSupport.both(tables).agreed().features())
                .containsExactly(Feature.EXPLICIT, Feature.IMPLICIT, Feature.HOST_TABLES);
        assertThat(PagingSupport.both(tables).agreed().maxRegionBytes()).isEqualTo(PagingCapabilities.UNLIMITED);
        assertThat(new PagingSupport(tables, small).agreed()).isEqualTo(small);
        assertThat(new PagingSupport(small, tables).agreed()).isEqualTo(small);
    }

    // rule paging-rnr
    @Test
    void theTimerOfAnAnswerIsTheFirmwares() {
        PagingSupport support = new PagingSupport(ALL.withRnrTimer(3), ALL.withRnrTimer(9));
        assertThat(support.agreed().rnrTimer()).isEqualTo(3);
    }

    // rule paging-agreed
    @Test
    void theDriverOfConnectXReportsNoUcAndTwoUsesOfUd() {
        PagingSupport support = Profile.CONNECTX_5.pagingSupport();
        assertThat(support.driver().uses(Transport.UC)).isEmpty();
        assertThat(support.driver().uses(Transport.RAW_ETHERNET)).isEmpty();
        assertThat(support.driver().uses(Transport.UD)).containsExactly(Use.SEND, Use.SHARED_RECEIVE);
        Profile all = Profile.CONNECTX_5.with(support.withFirmware(ALL));
        assertThat(all.paging().uses(Transport.UC)).isEmpty();
        assertThat(all.paging().uses(Transport.UD)).containsExactly(Use.SEND, Use.SHARED_RECEIVE);
        assertThat(Profile.CONNECTX_5.paging().uses(Transport.UD)).containsExactly(Use.SEND);
        assertThat(Profile.CONNECTX_5.with(support)).isEqualTo(Profile.CONNECTX_5);
    }

    /** Called for every queue pair, so it must be cheap. */
    // rule paging-agreed
    @Test
    void agreedUsesAreComputedOnce() {
        assertThat(Profile.CONNECTX_5.paging().uses(Transport.RC))
                .isSameAs(Profile.CONNECTX_5.paging().uses(Transport.RC));
    }

    @Test
    void aMaximumRegionOfZeroBytesIsRefused() {
        assertThatThrownBy(() -> ALL.withMaxRegionBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(ALL).isNotEqualTo(ALL.withMaxRegionBytes(1)).hasSameHashCodeAs(everything());
    }
}
