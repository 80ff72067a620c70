// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/** A receiver whose adapter matches tags, and senders that are connected to it. */
public final class TagSetup {
    static final int MEMORY = 1 << 20;
    public static final int PLACE = 1 << 14;

    private final TwoEnds place;
    public final Side into;
    public final CompletionQueue completions;
    public final TagSharedReceiveQueue queue;
    private final Queue<WorkCompletion> received = new ConcurrentLinkedQueue<>();

    public TagSetup(World world) {
        this(world, attributes -> attributes);
    }

    public TagSetup(World world, UnaryOperator<TagMatching> attributes) {
        this(WorldEnds.in(world, "sender", "tagged"), attributes);
    }

    public TagSetup(TwoEnds place) {
        this(place, attributes -> attributes);
    }

    private TagSetup(TwoEnds place, UnaryOperator<TagMatching> attributes) {
        this.place = place;
        into = Side.of(place.network(), place.b(), "receiver", MEMORY);
        completions = await(into.context().createCq(1024));
        completions.completions().subscribe(Subscribers.forEach(received::add));
        queue = await(into.domain()
                .createSrq(SrqDescription.DEFAULT.withTagMatching(attributes.apply(TagMatching.of(completions)))));
    }

    /** Returns another sender, with its own memory and connection. */
    public Sender sender() {
        return sender(RcConnection.DEFAULT);
    }

    public Sender sender(RcConnection attributes) {
        Side from = Side.of(place.network(), place.a(), "sender", MEMORY);
        return new Sender(
                from,
                RcEnd.connect(place.network(), Half.on(from), Half.on(into).withSrq(queue), attributes));
    }

    /** Returns the completions since the last call, in a world. */
    public List<WorkCompletion> received() {
        return received(0);
    }

    /** Returns the completions since the last call, as soon as there are so many. */
    public List<WorkCompletion> received(int count) {
        place.eventually(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(count));
        List<WorkCompletion> all = new ArrayList<>();
        for (var next = received.poll(); next != null; next = received.poll()) {
            all.add(next);
        }
        return all;
    }

    /** Returns the one completion since the last call. */
    public WorkCompletion onlyReceived() {
        List<WorkCompletion> all = received(1);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    /** Returns the tag fields of a completion. */
    public static TagInfo tagInfo(WorkCompletion completion) {
        return completion.tagging().orElseThrow();
    }

    /** Returns a receive of one slot, at the given number. */
    public Receive place(int number) {
        return place(number, PLACE);
    }

    public Receive place(int number, int length) {
        return Receive.of(number, into.slice((long) number * PLACE, length));
    }

    public byte[] bytes(int number, int length) {
        return into.memory().read((long) number * PLACE, length);
    }

    public final class Sender {
        public final Side from;
        public final Ends<RcEnd> ends;

        Sender(Side from, Ends<RcEnd> ends) {
            this.from = from;
            this.ends = ends;
        }

        /** Returns a message that contains its data. */
        public Send eager(long id, TagHeader header, byte... data) {
            return message(id, header, new byte[0], data);
        }

        /** Returns a message whose data, in the last half of the memory, the receiver fetches. */
        public Send rendezvous(long id, TagHeader header, byte... data) {
            long at = MEMORY / 2;
            from.memory().write(at, data);
            ByteBuffer where = ByteBuffer.allocate(RendezvousHeader.BYTES);
            new RendezvousHeader(from.remote(at), data.length).write(where);
            return message(id, header, where.array(), new byte[0]);
        }

        Send message(long id, TagHeader header, byte[] more, byte[] data) {
            long at = id * PLACE;
            from.memory().write(at, header.bytes());
            from.memory().write(at + TagHeader.BYTES, more);
            from.memory().write(at + TagHeader.BYTES + more.length, data);
            return Send.of(id, from.slice(at, TagHeader.BYTES + more.length + data.length));
        }

        public WorkCompletion submit(Send work) {
            return await(ends.a().qp().submit(work));
        }
    }

    public <T> T await(CompletionStage<T> stage) {
        return place.await(stage);
    }
}
