// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completions that the adapter wrote as successes and the program got as failures, since their data could not be copied. */
class ExplainedCopiesTest {
    private final World world = World.of(5);
    private final RcEnd a;
    private final RcEnd b;

    ExplainedCopiesTest() {
        Ends<RcEnd> ends = RcEnd.connect(world.network(), half("a"), half("b"), RcConnection.DEFAULT);
        a = ends.a();
        b = ends.b();
    }

    private Half half(String name) {
        return Half.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5), Shape.DEFAULT)
                .withInlineReceives()
                .withSignalAll();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private Explanation received(Receive receive, Status status) {
        b.postReceive(receive);
        a.post(Send.of(3, a.slice(0, 16)));
        world.settle();
        WorkCompletion completion = world.await(b.recvCq().poll(1)).getFirst();
        assertThat(completion.status()).isEqualTo(status);
        return world.explain(completion);
    }

    private String name() {
        return b.label();
    }

    @Test
    void aReceivesExplanationHasItsInlineDataAndTheCopy() {
        Explanation reason = received(Receive.of(9, b.slice(0, 64)), Status.SUCCESS);
        assertThat(reason.because())
                .containsExactly(
                        "it received request 3 of " + a.label() + " (SEND 16 bytes)",
                        "b: 16 bytes copied to 0x%x: qp%d's completion of 9 is polled"
                                .formatted(b.slice(0, 64).address(), b.qp().number()),
                        "b: qp" + b.qp().number() + " puts 16 bytes into the completion of 9");
        assertThat(reason.toString()).contains("· 16 bytes copied to");
    }

    @Test
    void aReceiveWithUnmappedMemory() {
        Explanation reason = received(Receive.of(9, new LocalSlice(b.region().lkey(), 0x40, 64)), Status.LOC_PROT_ERR);
        assertThat(reason.what()).isEqualTo("receive 9 of " + name() + " ended with LOC_PROT_ERR");
        assertThat(reason.because())
                .containsExactly(
                        "it received request 3 of " + a.label() + " (SEND 16 bytes)",
                        "b: qp" + b.qp().number() + " puts 16 bytes into the completion of 9",
                        name() + ": no memory is mapped at 0x40, 16 bytes, where the completion's data must be copied");
    }

    @Test
    void aReceiveWhoseMemoryIsUnmappedBeforeItsCompletionIsPolled() {
        HostMemory brief = b.context().process().allocate(64);
        MemoryRegion region = world.await(b.domain().register(brief));
        Receive receive = Receive.of(9, region.slice(0, 64));
        b.postReceive(receive);
        world.await(region.deregister());
        world.await(brief.closeAsync());
        a.post(Send.of(3, a.slice(0, 16)));
        world.settle();
        WorkCompletion completion = world.await(b.recvCq().poll(1)).getFirst();
        assertThat(world.explain(completion).root())
                .contains("no memory is mapped at 0x%x"
                        .formatted(receive.local().getFirst().address()));
    }

    @Test
    void aReceiveThatIsTooShort() {
        Explanation reason = received(Receive.of(9, b.slice(0, 10)), Status.LOC_LEN_ERR);
        assertThat(reason.root()).endsWith("the completion carries 16 bytes, and the buffers have room for 10");
    }

    @Test
    void aReadWithAnUnmappedResultBuffer() {
        RdmaRead read = RdmaRead.of(4, new LocalSlice(a.region().lkey(), 0x40, 8), b.remote(0));
        WorkCompletion completion = world.await(a.submit(read));
        assertThat(completion.status()).isEqualTo(Status.LOC_PROT_ERR);
        Explanation reason = world.explain(completion);
        assertThat(reason.what())
                .isEqualTo("request 4 of " + a.label() + " (RDMA_READ 8 bytes) ended with LOC_PROT_ERR");
        assertThat(reason.root()).contains("no memory is mapped at 0x40");
    }

    @Test
    void aFailedCopyReplacesTheSuccessByAFailure() {
        received(Receive.of(9, new LocalSlice(b.region().lkey(), 0x40, 64)), Status.LOC_PROT_ERR);
        List<Explanation> failures = Explainer.of(world.trace()).failures();
        assertThat(failures)
                .extracting(Explanation::what)
                .containsExactly("receive 9 of " + name() + " ended with LOC_PROT_ERR");
        WorkCompletion asWritten = org.hcaactors.api.completion.WorkCompletion.of(
                9,
                Status.SUCCESS,
                org.hcaactors.api.completion.CompletionKind.RECV,
                b.qp().number(),
                16,
                java.util.OptionalInt.empty());
        assertThat(world.explain(asWritten).what()).endsWith("ended with LOC_PROT_ERR");
    }
}
