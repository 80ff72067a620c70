// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bugs of RDMA programs that {@code @RdmaTest} finds with its default settings: each bug of the catalogue by the seed that the
 * guide names, and none in its correct twin. {@code -Dcatalogue.seeds=10000} runs the twins with that many seeds;
 * {@code -Dcatalogue.write=true} measures the guide's numbers again.
 */
@Tag("judge")
class CatalogueTest {
    static final long SEEDS_OF_TWINS = Long.getLong("catalogue.seeds", 20);

    /** A program that repeats its requests during a pause of 100 ms takes longer. */
    private static final long SEEDS_ON_BUSY_HOSTS = SEEDS_OF_TWINS / 4;

    private static final ProgramsPage PAGE = new ProgramsPage(ProgramsPage.Language.JAVA, entries());

    static List<Entry> entries() {
        return List.of(
                ClosedTooEarly.entry(),
                CopiedUnfenced.entry(),
                CountedTwiceAfterReconnect.entry(),
                CreditTooEarly.entry(),
                DoubleApply.entry(),
                EndedTwice.entry(),
                FlagOnOtherQueuePair.entry(),
                FlushTakenForSuccess.entry(),
                HeaderPolled.entry(),
                LostWakeUp.entry(),
                MessageTooLong.entry(),
                MissedReArm.entry(),
                ReceivesTooLate.entry(),
                RepostedTooSoon.entry(),
                SendBufferReuse.entry(),
                SharedReceivesRunOut.entry(),
                StatusNotLookedAt.entry(),
                SwapNotLookedAt.entry(),
                TagCancelNotLookedAt.entry(),
                TornTable.entry(),
                UnsignaledStretch.entry(),
                WindowAfterLease.entry());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void itsBugIsFoundAsTheGuideSays(Entry entry) {
        PAGE.assertFound(entry);
    }

    @ParameterizedTest
    @MethodSource("entries")
    void itsRightTwinStaysGreen(Entry entry) {
        assertThat(Trial.ofRight(entry).firstFailure(SEEDS_OF_TWINS)).isEmpty();
    }

    /** Without the program whose server must refill its receives before its clients run out of retries. */
    static Stream<Entry> withoutDeadlines() {
        return entries().stream().filter(entry -> entry.program() != SharedReceivesRunOut.class);
    }

    @ParameterizedTest
    @MethodSource("withoutDeadlines")
    void itsRightTwinStaysGreenOnBusyHosts(Entry entry) {
        assertThat(Trial.ofRight(entry.in(Swarm.HOST)).firstFailure(SEEDS_ON_BUSY_HOSTS))
                .isEmpty();
    }

    @Test
    void theGuidesTableNamesThemAll() {
        PAGE.assertComplete();
    }
}
