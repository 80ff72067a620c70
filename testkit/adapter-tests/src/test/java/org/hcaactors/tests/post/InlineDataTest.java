// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Data that is copied when its request is posted. */
class InlineDataTest {
    private final World world = World.of(11);

    @AfterEach
    void stop() {
        world.close();
    }

    private ConnectedPair pair(Shape shape) {
        return world.connect(
                world.network().addAdapter("alice", Profile.CONNECTX_5),
                world.network().addAdapter("bob", Profile.CONNECTX_5),
                shape);
    }

    private static void refused(Errno errno, String what, Executable call) {
        assertThatThrownBy(call::execute)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(what);
    }

    // rule post-inline
    @Test
    void inlineDataIsCopiedAtPostNeedsNoKeyAndIsBounded() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(16)));
        LocalSlice keyless = new LocalSlice(0xBAD00, pair.a().memory().address(), 16);
        pair.a().memory().write(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        CompletionStage<WorkCompletion> done = pair.a()
                .qp()
                .submit(RdmaWrite.of(1, keyless, pair.b().remote(0)).withInline());
        pair.a().memory().write(0, new byte[16]);
        assertThat(world.await(done).status()).isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().read(0, 4)).containsExactly(1, 2, 3, 4);
        LocalSlice longer = pair.a().slice(0, 17);
        refused(
                Errno.ENOMEM,
                "16 are allowed",
                () -> pair.a()
                        .qp()
                        .post(RdmaWrite.of(2, longer, pair.b().remote(0)).withInline()));
        refused(
                Errno.EINVAL,
                "only SEND and RDMA WRITE",
                () -> pair.a()
                        .qp()
                        .post(RdmaRead.of(3, pair.a().slice(0, 8), pair.b().remote(0))
                                .withFlags(SendFlags.NONE.withInline())));
    }

    // rules post-inline, paging-fixed-address
    @Test
    void inlineDataMaySpanAdjacentMemories() {
        ConnectedPair pair = pair(Shape.DEFAULT);
        HostProcess process = pair.a().context().process();
        HostMemory first = process.allocateAt(0x10000, 4096);
        HostMemory second = process.allocateAt(0x11000, 4096);
        first.write(4094, new byte[] {1, 2});
        second.write(0, new byte[] {3, 4});
        LocalSlice across = new LocalSlice(0, 0x11000 - 2, 4);
        RdmaWrite write = RdmaWrite.of(1, across, pair.b().remote(0)).withInline();
        assertThat(world.await(pair.a().qp().submit(write)).status()).isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().read(0, 4)).containsExactly(1, 2, 3, 4);
        second.close();
        refused(
                Errno.EINVAL,
                "no memory is mapped at 0x10ffe, 4 bytes",
                () -> pair.a().qp().post(write));
    }
}
