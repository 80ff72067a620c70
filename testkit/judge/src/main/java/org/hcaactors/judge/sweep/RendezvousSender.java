// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * Sends rendezvous messages over DC whose data stays here. A DC target of its own receives the notification when the data was
 * fetched.
 */
final class RendezvousSender {
    static final int CELL = 8192;
    static final int CELLS = 32;
    private static final long KEY = 0x1EF7_0DA7_A000_0001L;
    private static final int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES + RendezvousAddressHeader.BYTES;
    private static final int PLACES = 16;
    private static final long FINISH_OFFSET = (long) CELL * CELLS;
    private static final long MESSAGES = FINISH_OFFSET + (long) PLACES * TagHeader.BYTES;

    private final World world;
    private final Side side;
    private final DcInitiator initiator;
    private final DcTarget target;
    private final SharedReceiveQueue receives;
    private final DcAddress to;
    private final QueuePairLife life;

    /** By message: how often the sender was notified that its data was fetched. */
    private final Map<Integer, Integer> notified = new LinkedHashMap<>();

    RendezvousSender(
            SweepContext sweep, Adapter node, String name, Gid at, int consumer, long key, RcConnection attributes) {
        world = sweep.world();
        side = Side.of(world.network(), node, name, MESSAGES + (long) HEADERS * CELLS);
        CompletionQueue finished = world.await(side.context().createCq(CELLS));
        finished.completions().subscribe(Subscribers.forEach(this::onCompletion, reason -> {}));
        receives = world.await(side.domain().createSrq(SrqDescription.of(PLACES)));
        for (int place = 0; place < PLACES; place++) {
            receive(place);
        }
        target = world.await(
                side.domain().createDcTarget(DcTargetDescription.of(finished, receives, DcAccessKey.of(KEY))));
        world.await(target.open(attributes));
        initiator = world.await(side.domain().createQp(QpDescription.dc()));
        world.await(initiator.open(attributes));
        to = DcAddress.of(
                world.await(side.domain().createAddressHandle(AddressVector.to(at))), consumer, DcAccessKey.of(key));
        life = sweep.promises().life("left data");
    }

    private void receive(long place) {
        ReceiveWaves.quietly(() -> receives.postReceive(
                Receive.of(place, side.slice(FINISH_OFFSET + place * TagHeader.BYTES, TagHeader.BYTES))));
    }

    // rule rendezvous-finish
    private void onCompletion(WorkCompletion done) {
        if (done.isSuccess() && side.memory().isMapped()) {
            byte[] header = side.memory().read(FINISH_OFFSET + done.workId() * TagHeader.BYTES, TagHeader.BYTES);
            TagHeader.read(ByteBuffer.wrap(header)).ifPresent(of -> notified.merge(of.appContext(), 1, Integer::sum));
            receive(done.workId());
        }
    }

    int notified(int number) {
        return notified.getOrDefault(number, 0);
    }

    /**
     * Sends a message whose data stays in the given cell until it was fetched.
     *
     * @param rightKey true to give the access key of the target that serves the fetch
     */
    CompletionStage<WorkCompletion> leave(int number, int cell, int bytes, boolean rightKey) {
        side.memory().write((long) cell * CELL, MarkedBytes.of(number, bytes));
        ByteBuffer headers = ByteBuffer.allocate(HEADERS);
        TagHeader.rendezvous(number, DcRendezvous.TAG).write(headers);
        new RendezvousHeader(side.remote((long) cell * CELL), bytes).write(headers);
        RendezvousAddressHeader.of(target.number(), DcAccessKey.of(rightKey ? KEY : KEY + 1))
                .write(headers);
        long place = MESSAGES + (long) cell * HEADERS;
        side.memory().write(place, headers.array());
        CompletionStage<WorkCompletion> sending = initiator.submit(to, Send.of(number, side.slice(place, HEADERS)));
        life.add("message " + number, sending, () -> {});
        return sending;
    }

    boolean hasFailed() {
        return life.requests().stream().anyMatch(QueuePairLife.Request::hasFailed);
    }
}
