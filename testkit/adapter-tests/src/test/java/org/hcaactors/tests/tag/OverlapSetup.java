// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * A rendezvous message, and a receiver whose program computes: it makes no calls and has no subscriber. The trace has the times
 * when the data arrived and when the sender was notified.
 */
final class OverlapSetup {
    static final int TAG = 0x1234;
    static final int LENGTH = 20_000;

    static final Duration COMPUTING = Duration.ofMillis(10);

    private static final int BUFFER = 4096;

    private static final int MEMORY = 1 << 16;
    private static final int DATA = 4096;
    private static final int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES;
    private static final int ANSWER = 77;

    private final World world;
    private final Side from;
    final Side into;
    final CompletionQueue completions;
    final TagSharedReceiveQueue queue;
    private final Ends<RcEnd> ends;
    private long mark;

    OverlapSetup(World world) {
        this.world = world;
        from = side("sender");
        into = side("receiver");
        completions = world.await(into.context().createCq(64));
        queue = world.await(
                into.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(completions))));
        ends = RcEnd.connect(world.network(), Half.on(from), Half.on(into).withSrq(queue), RcConnection.DEFAULT);
        byte[] data = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            data[i] = (byte) (i % 251);
        }
        from.memory().write(DATA, data);
    }

    private Side side(String name) {
        return Side.of(
                world.network(),
                world.network().addAdapter(name, Profile.CONNECTX_5, World.DEFAULT_LINK),
                "app",
                MEMORY);
    }

    /** Returns a receive for the buffer's first bytes. */
    Receive buffer(int length) {
        return Receive.of(1, into.slice(BUFFER, length));
    }

    /** Sends the description of the data; the sender then computes, too. */
    void describe() {
        ByteBuffer description = ByteBuffer.allocate(HEADERS);
        TagHeader.rendezvous(5, TAG).write(description);
        new RendezvousHeader(from.remote(DATA), LENGTH).write(description);
        from.memory().write(0, description.array());
        ends.a().postReceive(Receive.of(ANSWER, from.slice(HEADERS, TagHeader.BYTES)));
        ends.a().post(Send.of(2, from.slice(0, HEADERS)));
        world.settle();
        mark = world.trace().events().getLast().stamp().id();
    }

    /** Lets both programs compute. Returns the time when they continue. */
    long compute() {
        world.runFor(COMPUTING);
        return world.now();
    }

    /** Lets the receiver's program fetch the data and notify the sender. */
    void fetch(RendezvousHeader where) {
        RdmaRead read = RdmaRead.of(3, into.slice(BUFFER, LENGTH), where.data());
        succeeds(ends.b().submit(read));
        into.memory().write(0, TagHeader.rendezvous(5, TAG).finished().bytes());
        succeeds(ends.b().submit(Send.of(4, into.slice(0, TagHeader.BYTES))));
        compute();
    }

    private void succeeds(CompletionStage<WorkCompletion> request) {
        WorkCompletion done = world.await(request);
        if (!done.isSuccess()) {
            throw new AssertionError(done);
        }
    }

    byte[] sent() {
        return from.memory().read(DATA, LENGTH);
    }

    byte[] received() {
        return into.memory().read(BUFFER, LENGTH);
    }

    /** Returns when the last byte of the data was written; empty if one is missing. */
    OptionalLong dataCame() {
        long first = into.region().address() + BUFFER;
        List<HcaEvent.MemoryWritten> writes = world.trace()
                .of(HcaEvent.MemoryWritten.class)
                .filter(each -> each.port().equals("receiver"))
                .filter(each -> each.address() >= first && each.address() < first + LENGTH)
                .toList();
        int written = writes.stream().mapToInt(each -> each.bytes().length()).sum();
        return written < LENGTH
                ? OptionalLong.empty()
                : OptionalLong.of(writes.getLast().stamp().nanos());
    }

    /** Returns when the sender's receive completed, which frees its buffer. */
    OptionalLong senderWasTold() {
        return world.trace()
                .of(HcaEvent.Completed.class)
                .filter(each -> each.port().equals("sender"))
                .filter(each -> each.completion().workId() == ANSWER)
                .mapToLong(each -> each.stamp().nanos())
                .findFirst();
    }

    /** Returns the programs' calls to their adapters since the description was sent: events not caused by arrivals. */
    List<HcaEvent> calls() {
        return world.trace()
                .of(HcaEvent.class)
                .filter(each -> each.stamp().id() > mark)
                .filter(OverlapSetup::isCall)
                .toList();
    }

    private static boolean isCall(HcaEvent event) {
        return switch (event) {
            case HcaEvent.WorkPosted posted -> posted.stamp().cause() == 0;
            case HcaEvent.ReceivePosted posted -> true;
            case HcaEvent.SharedReceivePosted posted -> true;
            case HcaEvent.TagAdded added -> true;
            case HcaEvent.TagRemoved removed -> true;
            case HcaEvent.TagsSynced synced -> true;
            case HcaEvent.EntriesTaken taken -> true;
            case HcaEvent.Armed armed -> true;
            case HcaEvent.Modified modified -> true;
            default -> false;
        };
    }

    /** Returns the completions of the receiver's queue, the oldest first. */
    List<WorkCompletion> poll() {
        return world.await(completions.poll(8));
    }
}
