// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/** Two ends that both receive inline, including results, each with one completion queue for requests and one for receives. */
final class InlineSetup implements AutoCloseable {
    static final int MEMORY = 4096;

    final World world;
    final RcEnd a;
    final RcEnd b;

    InlineSetup(long seed) {
        this(World.of(seed), 64);
    }

    /**
     * Creates the ends.
     *
     * @param entryBytes entry size of the completion queues
     */
    InlineSetup(World world, int entryBytes) {
        this.world = world;
        Ends<RcEnd> ends =
                RcEnd.connect(world.network(), half("a", entryBytes), half("b", entryBytes), RcConnection.DEFAULT);
        a = ends.a();
        b = ends.b();
    }

    /** Guards both memories: from now on only reported writes may change them. */
    void guard() {
        world.guard(a.adapter(), "app", a.memory());
        world.guard(b.adapter(), "app", b.memory());
    }

    private Half half(String name, int entryBytes) {
        Side side = Side.within(
                world.network(),
                world.network()
                        .addAdapter(name, Profile.CONNECTX_5)
                        .process("app")
                        .open()
                        .allocatePd(),
                MEMORY);
        return Half.on(side)
                .withSendCq(queue(side, entryBytes))
                .withRecvCq(queue(side, entryBytes))
                .withInlineReceives()
                .withSignalAll();
    }

    private CompletionQueue queue(Side side, int entryBytes) {
        return world.await(side.context().createCq(CqDescription.of(100).withEntryBytes(entryBytes)));
    }

    /** Sends a message from a to b and delivers it; its completions are not polled. */
    void send(Receive receive, Send send) {
        b.postReceive(receive);
        a.post(send);
        world.settle();
    }

    /** Polls one completion. */
    WorkCompletion poll(CompletionQueue queue) {
        return world.await(queue.poll(1)).getFirst();
    }

    @Override
    public void close() {
        world.close();
    }
}
