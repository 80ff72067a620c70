// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slow requests and refused ones, and the pages behind that. */
class ExplainedPagesTest {
    private static final int PAGE = 4096;

    private World world;
    private ConnectedPair pair;
    private HostMemory memory;
    private MemoryRegion region;

    @BeforeEach
    void connect() {
        world = World.of(3);
        LinkProperties link = LinkProperties.of(1_000, 100_000_000_000L);
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, link);
        Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, link);
        RcConnection terms = RcConnection.DEFAULT.withRnrRetry(7);
        pair = ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.with(terms));
        RcEnd end = pair.b();
        memory = end.context().process().allocate(8L * PAGE);
        region = world.await(
                end.domain().register(Registration.of(memory).onDemand().allowing(AccessFlags.LOCAL_AND_REMOTE)));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private WorkCompletion write(int id) {
        return world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(id, pair.a().region().slice(0, 2 * PAGE), region.remote(PAGE))));
    }

    private String why(WorkCompletion completion) {
        return Explainer.of(world.trace()).explain(completion).orElseThrow().toString();
    }

    @Test
    void aSlowRequestTellsWhichPagesItWaitedForAndWhoHadEvictedThem() {
        assertThat(why(write(1)))
                .contains(
                        "b: qp",
                        " waits for 8192 bytes at 0x%x of key 0x%08x, which a peer writes, for "
                                .formatted(memory.address() + PAGE, region.rkey()))
                .doesNotContain("evict");
        world.faults().now().evict(pair.b().context(), memory, 2L * PAGE, PAGE);
        world.runFor(Duration.ofMillis(1));
        assertThat(why(write(2)))
                .contains(" waits for 4096 bytes at 0x%x of key".formatted(memory.address() + 2L * PAGE))
                .contains("the host evicts 4096 bytes at 0x%x: key 0x%08x loses 1 page, as the bench did: evict"
                        .formatted(memory.address() + 2L * PAGE, region.rkey()));
        assertThat(why(write(3))).doesNotContain("waits for");
    }

    @Test
    void aRefusedRequestTellsThatMemoryWasUnmapped() {
        write(1);
        memory.close();
        world.runFor(Duration.ofMillis(1));
        assertThat(why(write(2))).contains("no memory", "when its memory went");
    }
}
