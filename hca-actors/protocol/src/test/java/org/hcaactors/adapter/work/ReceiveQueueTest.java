// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Test;

/** The receive queue compared with a list. */
class ReceiveQueueTest {
    private static final int NUMBER = 0x22;
    private static final int CAPACITY = 4;
    private static final long NONE = -1;

    private final Side side = new Side("x", NUMBER, 1, Profile.CONNECTX_5, false);

    private static Packet packet(Side side) {
        QpSettings settings = new QpSettings(NUMBER, 1, false);
        GlobalRoute path = GlobalRoute.to(new Gid(side.port.high(), side.port.low()));
        return Headers.ofConnection(settings, side.local, path, true, TransportClass.RC)
                .packet(Operation.SEND_ONLY, 1, true, false, List.of(), Octets.NONE);
    }

    private static WorkCompletion completion(long id, Status status, long length) {
        return WorkCompletion.of(id, status, CompletionKind.RECV, NUMBER, length, OptionalInt.empty());
    }

    private final LocalMemory memory = new LocalMemory(new KeyUser(1, 17), new LeaseCache(), PageWaits.NONE);
    private final Packet packet = packet(side);

    private void complete(MessageBuffer queue, long length) {
        queue.complete(CompletionKind.RECV, length, WorkCompletion.Details.NONE, true, side.turn);
    }

    @Test
    void receivesCompleteFailAndAreFlushedInTheOrderOfPosting() {
        SplittableRandom random = new SplittableRandom(1);
        ReceiveQueue queue = new ReceiveQueue(memory, CAPACITY);
        MessageBuffer buffer = new MessageBuffer(NUMBER, queue, 0, false);
        ArrayDeque<Long> posted = new ArrayDeque<>();
        List<WorkCompletion> expected = new ArrayList<>();
        long inUse = NONE;
        int failed = 0;
        int flushed = 0;
        for (long id = 0; id < 20_000; id++) {
            int places = CAPACITY - posted.size() - (inUse == NONE ? 0 : 1);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4, 5 -> {
                    if (places > 0) {
                        queue.add(Receive.of(id));
                        posted.add(id);
                    }
                }
                case 6, 7, 8, 9 -> {
                    if (inUse == NONE && !posted.isEmpty()) {
                        buffer.take();
                        inUse = posted.remove();
                    }
                }
                case 10, 11 -> {
                    if (inUse != NONE) {
                        complete(buffer, id);
                        expected.add(completion(inUse, Status.SUCCESS, id));
                        inUse = NONE;
                    }
                }
                case 12 -> {
                    buffer.fail(Status.LOC_LEN_ERR, side.turn);
                    if (inUse != NONE) {
                        failed++;
                        expected.add(completion(inUse, Status.LOC_LEN_ERR, 0));
                        inUse = NONE;
                    }
                }
                case 13 -> {
                    buffer.rewind();
                    if (inUse != NONE) {
                        posted.addFirst(inUse);
                        inUse = NONE;
                    }
                }
                case 14 -> {
                    buffer.flush(side.turn);
                    if (inUse != NONE) {
                        posted.addFirst(inUse);
                        inUse = NONE;
                    }
                    for (long each : posted) {
                        flushed++;
                        expected.add(completion(each, Status.WR_FLUSH_ERR, 0));
                    }
                    posted.clear();
                }
                default -> {
                    buffer.reset(side.turn);
                    queue.clear(side.turn);
                    posted.clear();
                    inUse = NONE;
                }
            }
            assertThat(buffer.isInUse()).isEqualTo(inUse != NONE);
            assertThat(buffer.supply(packet, side.turn)).isEqualTo(posted.isEmpty() ? Supply.EMPTY : Supply.READY);
            if (inUse != NONE || !posted.isEmpty()) {
                assertThat(buffer.current().id()).isEqualTo(inUse != NONE ? inUse : posted.element());
            }
        }
        assertThat(side.receives).isEqualTo(expected);
        assertThat(side.counted(Counter.RESP_CQE_ERROR)).isEqualTo(failed).isPositive();
        assertThat(side.counted(Counter.RESP_CQE_FLUSH_ERROR))
                .isEqualTo(flushed)
                .isPositive();
        assertThat(side.sources.srq)
                .as("no receive is returned to a queue it was not taken from")
                .isEmpty();
    }

    @Test
    void noReceiveIsCurrentIfNoneIsPosted() {
        ReceiveQueue queue = new ReceiveQueue(memory, CAPACITY);
        MessageBuffer buffer = new MessageBuffer(NUMBER, queue, 0, false);
        queue.add(Receive.of(1));
        buffer.take();
        complete(buffer, 0);
        assertThatThrownBy(buffer::current).hasMessage("no receive is posted");
    }

    // rule receive-returned
    @Test
    void aResetWithinAMessageReturnsItsSharedReceives() {
        SrqReceives place = new SrqReceives(side.sources.shared(), memory);
        MessageBuffer buffer = new MessageBuffer(NUMBER, place, 0, false);
        side.sources.srq.addAll(List.of(Receive.of(1), Receive.of(2)));
        place.supply(packet, side.turn);
        buffer.take();
        place.supply(packet, side.turn);
        place.clear(side.turn);
        buffer.reset(side.turn);
        assertThat(side.sources.srq).extracting(Receive::id).isEqualTo(List.of(1L, 2L));
        assertThat(buffer.isInUse()).isFalse();
        assertThat(place.hasNext()).isFalse();
        assertThat(side.receives).isEmpty();
    }

    @Test
    void aReceiveTakenFromASharedQueueIsNotRewound() {
        SrqReceives place = new SrqReceives(side.sources.shared(), memory);
        MessageBuffer buffer = new MessageBuffer(NUMBER, place, 0, false);
        assertThatThrownBy(buffer::current).hasMessage("no receive was taken");
        side.sources.srq.add(Receive.of(1));
        place.supply(packet, side.turn);
        buffer.take();
        assertThat(buffer.canGoBack()).isFalse();
        assertThatThrownBy(buffer::rewind).isInstanceOf(IllegalStateException.class);
    }

    // rule receive-shared-order
    @Test
    void aReceivePostedToAnEmptySharedQueueIsTakenAtOnce() {
        SrqReceives place = new SrqReceives(side.sources.shared(), memory);
        assertThat(place.supply(packet, side.turn)).isEqualTo(Supply.EMPTY);
        assertThat(place.whyEmpty()).isEqualTo(NoReceive.SHARED_QUEUE_IS_EMPTY);
        side.sources.srq.addAll(List.of(Receive.of(1), Receive.of(2)));
        assertThat(place.supply(packet, side.turn)).isEqualTo(Supply.READY);
        assertThat(place.supply(packet, side.turn)).isEqualTo(Supply.READY);
        assertThat(side.sources.srq).as("one for each message").hasSize(1);
    }
}
