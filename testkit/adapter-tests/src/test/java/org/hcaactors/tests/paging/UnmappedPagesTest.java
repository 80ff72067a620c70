// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Memory under a region on demand that is unmapped before the pager knows. */
class UnmappedPagesTest {
    private static final long THERE = 1L << 30;

    /** Length of the message on which the memory is unmapped. */
    private static final int SIGNAL = 24;

    /** Unmaps as soon as the adapter reads a message of that length. */
    private static final class Unmapping implements Invariant {
        private Optional<HostMemory> next = Optional.empty();

        @Override
        public String name() {
            return "unmapping";
        }

        @Override
        public void on(TraceEvent event, TraceState known, Report report) {
            if (event instanceof HcaEvent.MemoryRead read && read.lengthBytes() == SIGNAL) {
                next.ifPresent(HostMemory::close);
                next = Optional.empty();
            }
        }
    }

    private static Status write(Paged paged, LocalSlice from) {
        return paged.world
                .await(paged.pair
                        .a()
                        .qp()
                        .submit(RdmaWrite.of(2, from, paged.pair.b().region().remote(0))))
                .status();
    }

    // rules paging-fails, paging-unmapped-meanwhile
    @Test
    void memoryUnmappedBeforeAnAbsentPageIsNotSentAsZeros() {
        Unmapping unmapping = new Unmapping();
        try (Paged paged = Paged.in(World.of(WorldOptions.of(1).with(unmapping)))) {
            HostProcess process = paged.pair.a().context().process();
            HostMemory known = process.allocateAt(THERE, PAGE);
            process.allocateAt(THERE + PAGE, PAGE);
            MemoryRegion region = paged.world.await(paged.pair
                    .a()
                    .domain()
                    .register(Registration.addresses(THERE, 2 * PAGE).withOnDemandPaging()));
            assertThat(write(paged, new LocalSlice(region.lkey(), THERE, 16))).isEqualTo(Status.SUCCESS);
            unmapping.next = Optional.of(known);
            paged.pair
                    .a()
                    .qp()
                    .post(RdmaWrite.of(
                            1,
                            paged.pair.a().region().slice(0, SIGNAL),
                            paged.pair.b().region().remote(0)));
            assertThat(write(paged, new LocalSlice(region.lkey(), THERE, 2 * PAGE)))
                    .isEqualTo(Status.LOC_PROT_ERR);
            assertThat(known.isMapped()).isFalse();
        }
    }
}
