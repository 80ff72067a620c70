// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * Many connections on one completion queue and one shared receive queue, which runs empty: a receive is posted again when one
 * was taken, or later. Short and long messages, several READs in progress. In some seeds a receive has a wrong key, and the
 * queue pair that takes it fails. When one end of a connection fails, the other is moved to ERR, too: it may wait for the rest
 * of a message, and hold a receive that the others need.
 */
final class SharedQueues implements Workload {
    private static final int MAX_PAIRS = 6;
    private static final int MAX_READS = 16;
    private static final int ENTRIES = 255;
    private static final int MAX_RECEIVES_TO_POST = 4;
    /** Those with a wrong key and those without, and one that each queue pair may hold. */
    private static final int MAX_RECEIVES = 1 + MAX_RECEIVES_TO_POST + MAX_PAIRS;
    /** 0.16 ms; receives are posted late here. */
    private static final int RNR_TIMER = 8;

    private static final int FOR_EVER = 7;
    private static final int MAX_PACKETS = 24;

    /** Time within which every request ends; virtual time costs nothing when nothing happens. */
    private static final int MAX_MILLIS = 100;

    private record Connection(Ends<RcEnd> pair, QueuePairLife life) {
        boolean hasEnded() {
            return life.requests().stream().allMatch(QueuePairLife.Request::hasEnded);
        }
    }

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final SharedReceiveQueue srq;
    private final List<Connection> connections = new ArrayList<>();
    private int receivesToPost;
    private int posted;
    private boolean over;
    private boolean starved;
    private int armed;
    private int limitsReached;

    SharedQueues(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("many on one");
        verb = new RandomVerbs(sweep, random);
        World world = sweep.world();
        SweepNode b = sweep.b();
        srq = world.await(b.domain.createSrq(SrqDescription.of(MAX_RECEIVES).withMaxSge(1)));
        CompletionQueue queue = world.await(b.context.createCq(ENTRIES));
        queue.completions().subscribe(Subscribers.forEach(completion -> taken(), reason -> {}));
        b.context.asyncEvents().subscribe(Subscribers.forEach(this::raised, reason -> {}));
        boolean bad = random.nextInt(4) == 0;
        for (int i = 2 + random.nextInt(MAX_PAIRS - 1); i > 0; i--) {
            Ends<RcEnd> pair = sweep.connected(
                    sweep.a().half(),
                    b.half().withSendCq(queue).withSrq(srq),
                    sweep.patient(random)
                            .withRdAtomic(1 + random.nextInt(MAX_READS))
                            .withRnrRetry(FOR_EVER)
                            .withMinRnrTimerCode(RNR_TIMER));
            QueuePairLife life = bad
                    ? sweep.promises().life("many on one", Status.REM_OP_ERR)
                    : sweep.promises().life("many on one");
            connections.add(new Connection(pair, life));
        }
        if (bad) {
            LocalSlice right = b.longReceive(0).local().getFirst();
            srq.postReceive(Receive.of(-1, new LocalSlice(right.lkey() ^ 1, right.address(), right.lengthBytes())));
        }
        receivesToPost = 1 + random.nextInt(MAX_RECEIVES_TO_POST);
    }

    private void raised(AsyncEvent event) {
        if (event.equals(new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, srq.number()))) {
            limitsReached++;
        }
    }

    private void taken() {
        receivesToPost++;
        if (over || random.nextBoolean()) {
            postReceives();
        }
    }

    private void postReceives() {
        for (; receivesToPost > 0; receivesToPost--) {
            ReceiveWaves.quietly(() -> srq.postReceive(sweep.b().longReceive(posted++)));
        }
    }

    @Override
    public void step() {
        switch (random.nextInt(8)) {
            case 0 -> postReceives();
            case 1 -> change();
            default -> {}
        }
        Connection connection = connections.get(random.nextInt(connections.size()));
        int cell = random.nextInt(SweepNode.CELLS / 2);
        verb.submit(connection.pair.a().qp(), connection.life, cell, bytes());
        connection.life.requests().getLast().stage().thenAccept(completion -> {
            if (!completion.isSuccess()) {
                hangUp(connection);
            }
        });
    }

    /** Moves the other end to ERR; without effect if it is in ERR already. */
    private void hangUp(Connection connection) {
        sweep.promises()
                .verb(
                        "modify the remote queue pair to ERR",
                        connection.pair.b().qp().modify(QpModify.to(QpState.ERR)));
    }

    private int bytes() {
        int packets = random.nextInt(10) == 0 ? random.nextInt(MAX_PACKETS) : 0;
        return Math.min(packets * sweep.mtu().bytes(), SweepNode.CELL * SweepNode.CELLS / 2)
                + random.nextInt(packets > 0 ? 2 : SweepNode.CELL);
    }

    /** Arms the limit or changes the size, which must not disturb the traffic. */
    private void change() {
        PendingStages promises = sweep.promises();
        ReceiveWaves.quietly(() -> {
            if (random.nextBoolean()) {
                armed++;
                promises.verb("arm the limit", srq.armLimit(random.nextInt(MAX_RECEIVES)));
            } else {
                promises.verb("resize", srq.resize(MAX_RECEIVES + random.nextInt(MAX_RECEIVES)), Errno.EINVAL);
            }
        });
    }

    @Override
    public void finish() {
        over = true;
        postReceives();
    }

    /**
     * Waits for the requests, and posts receives. A queue pair that waits for the rest of a forged message holds one receive,
     * never more.
     */
    @Override
    public void close() {
        for (int i = 0; i < MAX_MILLIS && isWaiting(); i++) {
            sweep.world().runFor(Duration.ofMillis(1));
        }
        starved = isWaiting();
        if (starved) {
            receivesToPost += connections.size();
            postReceives();
        }
    }

    private boolean isWaiting() {
        return !connections.stream().allMatch(Connection::hasEnded);
    }

    @Override
    public void atRest() {
        FaultSeverity severity = sweep.severity();
        if (starved && severity != FaultSeverity.HOSTILE && severity != FaultSeverity.DISASTER) {
            throw new AssertionError("many on one: a receive was taken, but never completed");
        }
        // rule receive-limit
        if (limitsReached > armed) {
            throw new AssertionError("many on one: SRQ_LIMIT_REACHED was raised %d times; the limit was armed %d times"
                    .formatted(limitsReached, armed));
        }
    }
}
