// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A publisher WRITEs a page over one queue pair and SENDs a notice over another one, which is for control. There is no order
 * between two queue pairs, so the notice may arrive before the page. Correct: send it on the queue pair of the WRITE, or after
 * the WRITE has completed.
 */
final class FlagOnOtherQueuePair {
    private static final int BYTES = 64 << 10;

    /** Queue pair that carries the notice. */
    private interface Route {
        RcQueuePair of(RcQueuePair data, RcQueuePair control);
    }

    private static final Route WRONG = (data, control) -> control;

    private static final Route RIGHT = (data, control) -> data;

    static Entry entry() {
        return Entry.of(
                FlagOnOtherQueuePair.class,
                "a SEND on another queue pair is taken to come after a WRITE",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, Route road) {
        ConnectedPair data = world.connect(world.adapter("publisher"), world.adapter("reader"));
        RcEnd publisher = data.a();
        RcEnd reader = data.b();
        QpPair<RcQueuePair> control = world.await(QpPair.connectRc(
                publisher.domain(),
                QpDescription.rc(),
                reader.domain(),
                QpDescription.rc().withRecvCq(reader.recvCq())));
        publisher.memory().writeLong(BYTES - 8, 42);

        CompletableFuture<Long> read = new CompletableFuture<>();
        reader.recvCq()
                .completions()
                .subscribe(Subscribers.forEach(
                        word -> read.complete(reader.memory().readLong(BYTES - 8))));
        reader.qp().postReceive(Receive.of(1));
        control.remote().postReceive(Receive.of(1));
        publisher.submit(RdmaWrite.of(1, publisher.slice(0, BYTES), reader.remote(0)));
        road.of(publisher.qp(), control.local()).submit(Send.of(2));
        assertThat(world.await(read)).as("the end of the page").isEqualTo(42);
    }
}
