// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/**
 * Long messages, more of them in progress than a queue pair may have bursts outstanding; each source is overwritten as soon as
 * its request has completed. So bytes read too late, arrays reused too early and parts written to the wrong place show at the
 * other end, also without invariants.
 */
final class LargeMessages implements Workload {
    private static final int LANES = 12;
    private static final int LANE = 40_000;
    private static final int RECEIVES = 4;
    /** Keeps a seed fast. */
    private static final int MESSAGES = 100;

    /** A sequence of messages, one at a time. */
    private static final class Lane {
        private final int number;
        private boolean busy;

        Lane(int number) {
            this.number = number;
        }

        long offset() {
            return (long) number * LANE;
        }
    }

    /** Memory of one side: sources, targets, and receives. */
    private static final long TARGETS = (long) LANES * LANE;

    private static final long ROOM = 2 * TARGETS;
    private static final long MEMORY = ROOM + (long) RECEIVES * LANE;

    private final World world;
    private final SplittableRandom random;
    private final Side from;
    private final Side to;
    private final Ends<RcEnd> pair;
    private final QueuePairLife life;
    private final Lane[] lanes = new Lane[LANES];
    /** Messages sent and not received yet, in order. */
    private final Deque<byte[]> sent = new ArrayDeque<>();

    private int begun;
    private int posted;
    private int received;
    private boolean over;
    private Optional<String> wrong = Optional.empty();

    LargeMessages(SweepContext sweep) {
        world = sweep.world();
        random = sweep.random("torrent");
        life = sweep.promises().life("torrent");
        from = Side.within(world.network(), sweep.a().domain, MEMORY);
        to = Side.within(world.network(), sweep.b().domain, MEMORY);
        CompletionQueue received = world.await(sweep.b().context.createCq(RECEIVES));
        pair = sweep.connected(sweep.a().half(), sweep.b().half().withRecvCq(received), attributes(sweep));
        Arrays.setAll(lanes, Lane::new);
        for (int i = 0; i < RECEIVES; i++) {
            postReceive();
        }
        received.completions().subscribe(Subscribers.forEach(this::received, reason -> {}));
    }

    /**
     * Returns attributes with a large MTU: with many packets, a link that reorders would make the queue pair go back all the
     * time.
     */
    private RcConnection attributes(SweepContext sweep) {
        RcConnection attributes = sweep.patient(random);
        return world.watch() == Watch.NOBODY ? attributes : attributes.withMtu(PathMtu.BYTES_4096);
    }

    /** Posts a message on every free lane; when it completes, mostly another one at once, so that the stream does not pause. */
    @Override
    public void step() {
        for (Lane lane : lanes) {
            if (!lane.busy && maySend()) {
                begin(lane);
            }
        }
    }

    private boolean maySend() {
        return begun < MESSAGES && memoryIsThere();
    }

    private boolean memoryIsThere() {
        return from.memory().isMapped() && to.memory().isMapped();
    }

    private void begin(Lane lane) {
        begun++;
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(1, 500) : random.nextInt(1, LANE)];
        random.nextBytes(bytes);
        lane.busy = true;
        CompletionStage<WorkCompletion> stage = submit(lane, bytes);
        life.add("a message of " + bytes.length + " bytes", stage, () -> {});
        stage.thenAccept(completion -> ended(lane, bytes, completion));
    }

    private CompletionStage<WorkCompletion> submit(Lane lane, byte[] bytes) {
        long target = TARGETS + lane.offset();
        return switch (random.nextInt(4)) {
            case 0 -> {
                to.memory().write(lane.offset(), bytes);
                yield pair.a()
                        .submit(RdmaRead.of(lane.number, from.slice(target, bytes.length), to.remote(lane.offset())));
            }
            case 1 -> {
                from.memory().write(lane.offset(), bytes);
                sent.add(bytes);
                yield pair.a().submit(Send.of(lane.number, source(lane, bytes.length)));
            }
            default -> {
                from.memory().write(lane.offset(), bytes);
                yield pair.a().submit(RdmaWrite.of(lane.number, source(lane, bytes.length), to.remote(target)));
            }
        };
    }

    /** Returns the source of a message, in one element or in two: only a single one can be lent to packets. */
    private List<LocalSlice> source(Lane lane, int length) {
        int first = length > 1 && random.nextBoolean() ? random.nextInt(1, length) : length;
        LocalSlice start = from.slice(lane.offset(), first);
        return first == length ? List.of(start) : List.of(start, from.slice(lane.offset() + first, length - first));
    }

    private void ended(Lane lane, byte[] bytes, WorkCompletion completion) {
        if (!memoryIsThere()) {
            return;
        }
        if (!completion.isSuccess()) {
            // The buffer is the program's again. What arrives late must be what was sent.
            from.memory().write(lane.offset(), new byte[bytes.length]);
            return;
        }
        switch (completion.kind()) {
            case RDMA_READ -> compare("READ", bytes, from.memory(), TARGETS + lane.offset());
            case RDMA_WRITE -> compare("WRITE", bytes, to.memory(), TARGETS + lane.offset());
            default -> {}
        }
        from.memory().write(lane.offset(), new byte[bytes.length]);
        lane.busy = false;
        if (!over && maySend() && random.nextInt(4) > 0) {
            begin(lane);
        }
    }

    private void received(WorkCompletion completion) {
        byte[] bytes = sent.poll();
        if (completion.isSuccess() && bytes != null && to.memory().isMapped()) {
            compare("SEND", bytes, to.memory(), room(received));
            received++;
            postReceive();
        }
    }

    private static long room(int receive) {
        return ROOM + (long) (receive % RECEIVES) * LANE;
    }

    private void postReceive() {
        try {
            pair.b().postReceive(Receive.of(posted, to.slice(room(posted), LANE)));
            posted++;
        } catch (VerbsException refused) {
            // A disaster took the queue pair.
        }
    }

    private void compare(String what, byte[] requested, HostMemory memory, long at) {
        int mismatch = Arrays.mismatch(requested, memory.read(at, requested.length));
        if (mismatch >= 0 && wrong.isEmpty()) {
            wrong = Optional.of("a long " + what + " of " + requested.length + " bytes succeeded at " + world.now()
                    + " ns, but its byte " + mismatch + " differs from the sent one");
        }
    }

    @Override
    public void finish() {
        over = true;
    }

    @Override
    public void atRest() {
        wrong.filter(reason -> !world.faults().hasForged()).ifPresent(reason -> {
            throw new AssertionError(reason);
        });
    }
}
