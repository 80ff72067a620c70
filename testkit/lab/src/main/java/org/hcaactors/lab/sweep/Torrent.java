package org.hcaactors.lab.sweep;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.chance.Lots;
import org.hcaactors.lab.world.World;

/**
 * Long messages, more of them under way than the bursts that a queue pair may have out, and each source is written anew as
 * soon as its request has ended. So bytes that are read too late, arrays that serve again too early and parts that land in
 * the wrong place show at the other end, also where nobody watches.
 */
final class Torrent {
    private static final int LANES = 8;
    private static final int LANE = 48_000;
    private static final int RECEIVES = 4;

    /** One message at a time. */
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

    /** Memory of one side: sources, targets, and room for what is sent. */
    private record Shore(Site site, HostMemory memory, MemoryRegion region) {
        private static final long TARGETS = (long) LANES * LANE;
        private static final long ROOM = 2 * TARGETS;

        static Shore of(World world, Site site) {
            HostMemory memory = site.adapter.process(Site.PROCESS).allocate(ROOM + (long) RECEIVES * LANE);
            return new Shore(site, memory, world.await(site.domain.register(memory, Access.values())));
        }
    }

    private final World world;
    private final SplittableRandom lots;
    private final Shore from;
    private final Shore to;
    private final RcPair pair;
    private final Lane[] lanes = new Lane[LANES];
    /** What was sent and not received yet, in order. */
    private final Deque<byte[]> sent = new ArrayDeque<>();

    private int posted;
    private int received;
    private int compared;
    private Optional<String> wrong = Optional.empty();

    Torrent(World world, Site a, Site b, RcConnection terms) {
        this.world = world;
        lots = Lots.of(world.seed(), "torrent");
        from = Shore.of(world, a);
        to = Shore.of(world, b);
        CompletionQueue received = world.await(b.context.createCq(RECEIVES));
        pair = world.await(RcPair.connect(a.domain.rc(), b.domain.rc().recvCq(received), terms));
        Arrays.setAll(lanes, Lane::new);
        for (int i = 0; i < RECEIVES; i++) {
            postReceive();
        }
        received.completions().subscribe(Subscribers.forEach(this::received, why -> {}));
    }

    /** A message on a lane that is free, if there is one. */
    Optional<CompletionStage<WorkCompletion>> next() {
        return Arrays.stream(lanes).filter(lane -> !lane.busy).findFirst().map(this::begin);
    }

    private CompletionStage<WorkCompletion> begin(Lane lane) {
        byte[] bytes = new byte[lots.nextInt(4) == 0 ? lots.nextInt(1, 500) : lots.nextInt(1, LANE)];
        lots.nextBytes(bytes);
        lane.busy = true;
        CompletionStage<WorkCompletion> stage = submit(lane, bytes);
        stage.thenAccept(completion -> ended(lane, bytes, completion));
        return stage;
    }

    private CompletionStage<WorkCompletion> submit(Lane lane, byte[] bytes) {
        long target = Shore.TARGETS + lane.offset();
        return switch (lots.nextInt(4)) {
            case 0 -> {
                to.memory.write(lane.offset(), bytes);
                yield pair.local()
                        .submit(RdmaRead.of(
                                lane.number, from.region.slice(target, bytes.length), to.region.remote(lane.offset())));
            }
            case 1 -> {
                from.memory.write(lane.offset(), bytes);
                sent.add(bytes);
                yield pair.local().submit(Send.of(lane.number, from.region.slice(lane.offset(), bytes.length)));
            }
            default -> {
                from.memory.write(lane.offset(), bytes);
                yield pair.local()
                        .submit(RdmaWrite.of(
                                lane.number, from.region.slice(lane.offset(), bytes.length), to.region.remote(target)));
            }
        };
    }

    private void ended(Lane lane, byte[] bytes, WorkCompletion completion) {
        if (!completion.isSuccess() || !from.memory.isMapped() || !to.memory.isMapped()) {
            return;
        }
        switch (completion.kind()) {
            case RDMA_READ -> compare("READ", bytes, from.memory, Shore.TARGETS + lane.offset());
            case RDMA_WRITE -> compare("WRITE", bytes, to.memory, Shore.TARGETS + lane.offset());
            default -> {}
        }
        from.memory.write(lane.offset(), new byte[bytes.length]);
        lane.busy = false;
    }

    private void received(WorkCompletion completion) {
        byte[] bytes = sent.poll();
        if (completion.isSuccess() && bytes != null && to.memory.isMapped()) {
            compare("SEND", bytes, to.memory, room(received));
            received++;
            postReceive();
        }
    }

    private static long room(int receive) {
        return Shore.ROOM + (long) (receive % RECEIVES) * LANE;
    }

    private void postReceive() {
        try {
            pair.remote().postReceive(Receive.of(posted, to.region.slice(room(posted), LANE)));
            posted++;
        } catch (VerbsException gone) {
            // A disaster took the queue pair.
        }
    }

    private void compare(String what, byte[] wanted, HostMemory memory, long at) {
        compared++;
        int mismatch = Arrays.mismatch(wanted, memory.read(at, wanted.length));
        if (mismatch >= 0 && wrong.isEmpty()) {
            wrong = Optional.of("a long " + what + " of " + wanted.length + " bytes succeeded at " + world.now()
                    + " ns, and its byte " + mismatch + " is not what was sent");
        }
    }

    /** Messages whose bytes were looked at where they went. */
    int compared() {
        return compared;
    }

    /** AssertionError if bytes came otherwise than they were sent. */
    void end() {
        wrong.ifPresent(why -> {
            throw new AssertionError(why + ", seed " + world.seed());
        });
    }
}
