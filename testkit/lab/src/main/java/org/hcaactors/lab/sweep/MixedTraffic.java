package org.hcaactors.lab.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.AddressVector;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcPair;
import org.hcaactors.api.queue.UdAddress;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.chance.Lots;
import org.hcaactors.lab.world.World;

/**
 * A program that uses everything at once: RC with receives of its own, RC with shared receives and the arm-and-poll loop,
 * atomics by two keys on the same words, a key that is taken away under traffic, UC, UD, and a receiver that posts again
 * inside {@code onNext} and has no place to spare. A seed draws sizes, order, links
 * and moments. In the end what was written must be there.
 */
public final class MixedTraffic {
    private static final int QKEY = 0x1234_5678;
    private static final int STEPS = 200;
    /** Many times what seven time-outs in a row take, but for the RNR waits of up to 655 ms that a forger imposes. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private static final Duration REST = Duration.ofSeconds(60);

    private record Request(CompletionStage<WorkCompletion> stage, Runnable check) {}

    private final World world;
    private final SplittableRandom lots;
    private final Site a;
    private final Site b;
    private final List<Request> requests = new ArrayList<>();
    private final CompletionQueue received;
    private final CompletionQueue shared;
    private final CompletionChannel channel;
    private final SharedReceiveQueue srq;
    private final RcPair plain;
    private final RcPair sharing;
    private final RcPair doomed;
    private final RcPair trespasser;
    private final UcPair uc;
    private final UdQueuePair udFrom;
    private final UdQueuePair udTo;
    private final UdAddress address;
    private final TightLoop tight;
    private int nextCell;
    private int nextReceive;

    private MixedTraffic(World world) {
        this.world = world;
        this.lots = Lots.of(world.seed(), "traffic");
        LinkProperties link = lots.nextInt(4) == 0
                ? LinkProperties.IDEAL
                : LinkProperties.of(200 + lots.nextInt(2000), 10_000_000_000L);
        Profile profile = lots.nextBoolean() ? Profile.CONNECTX_5 : Profile.SOFT_ROCE;
        a = new Site(world, world.network().addAdapter("a", profile, link), lots);
        b = new Site(world, world.network().addAdapter("b", profile, link), lots);
        received = world.await(b.context.createCq(500));
        channel = world.await(b.context.createChannel());
        shared = world.await(b.context.createCq(CqDescription.of(500).reportingTo(channel)));
        CompletionQueue sent = world.await(a.context.createCq(500));
        srq = world.await(b.domain.createSrq(SrqCapacity.DEFAULT));
        PathMtu mtu = lots.nextBoolean() ? PathMtu.BYTES_256 : PathMtu.BYTES_1024;
        RcConnection terms = RcConnection.DEFAULT
                .withMtu(mtu)
                .withTimeout(5, 6)
                .withRnr(7, 1)
                .withRdAtomic(1 + lots.nextInt(4))
                .withFirstPsn(0xFF_FFE0 + lots.nextInt(32));
        plain = world.await(
                RcPair.connect(a.domain.rc().sendCq(sent), b.domain.rc().recvCq(received), terms));
        sharing = world.await(RcPair.connect(
                a.domain.rc().sendCq(sent), b.domain.rc().recvCq(shared).srq(srq), terms));
        doomed = world.await(RcPair.connect(a.domain.rc().sendCq(sent), b.domain.rc(), terms));
        AccessFlags readOnly = AccessFlags.of(Access.REMOTE_READ);
        boolean closed = lots.nextInt(4) == 0;
        trespasser = world.await(RcPair.connect(
                a.domain.rc().sendCq(sent), b.domain.rc(), closed ? terms.withRemoteAccess(readOnly) : terms));
        UcConnection ucTerms = UcConnection.DEFAULT.withMtu(mtu).withFirstPsn(0xFF_FFF8);
        uc = world.await(
                UcPair.connect(a.domain.uc().sendCq(sent), b.domain.uc().recvCq(received), ucTerms));
        udFrom = world.await(a.domain.ud().sendCq(sent).create());
        udTo = world.await(b.domain.ud().recvCq(received).create());
        world.await(udFrom.activate(QKEY));
        world.await(udTo.activate(QKEY));
        address = UdAddress.of(
                world.await(a.domain.createAddressHandle(AddressVector.to(b.adapter.gid()))), udTo.number(), QKEY);
        tight = new TightLoop(world, a, b, terms);
    }

    /**
     * Runs the program to its end, with the faults that are armed in the world; then they stop, and all must come to rest.
     *
     * @throws AssertionError if an invariant is broken, bytes are wrong, or a completion was never heard of
     */
    public static Result run(World world) {
        return new MixedTraffic(world).run();
    }

    private Result run() {
        received.completions().subscribe(Subscribers.forEach(wc -> {}, why -> {}));
        listen();
        for (int i = 0; i < 3; i++) {
            doomed.remote().postReceive(Receive.of(i, b.receive(i)));
            trespasser.remote().postReceive(Receive.of(i, b.receive(i)));
        }
        supply(20);
        int farewell = lots.nextInt(STEPS);
        for (int step = 0; step < STEPS; step++) {
            if (step == farewell) {
                (lots.nextInt(3) == 0 ? a : b).doomed.deregister();
            }
            if (lots.nextInt(12) == 0) {
                supply(step + 30);
            }
            step();
            if (tight.wantsToSend()) {
                int cell = step % Site.CELLS;
                post(() -> tight.send(cell), () -> {});
            }
            if (lots.nextInt(8) == 0) {
                world.runFor(Duration.ofNanos(lots.nextInt(4000)));
            }
        }
        supply(STEPS);
        trespass();
        List<Request> succeeded = requests.stream().filter(this::ended).toList();
        world.heal(REST);
        // The invariants come first: they name what is wrong. Who lost power has no memory to ask, and a forger may
        // write.
        if (a.memory.isMapped() && b.memory.isMapped() && !world.faults().hasForged()) {
            succeeded.forEach(request -> request.check.run());
        }
        heardOfEverything();
        tight.end();
        long packets = world.trace().of(FabricEvent.Sent.class).count();
        return new Result(packets, succeeded.size(), requests.size() - succeeded.size());
    }

    private void supply(int upTo) {
        for (; nextReceive < upTo; nextReceive++) {
            Receive receive = Receive.of(nextReceive, b.receive(nextReceive));
            quietly(() -> plain.remote().postReceive(receive));
            quietly(() -> srq.postReceive(receive));
            quietly(() -> uc.remote().postReceive(receive));
            quietly(() -> udTo.postReceive(receive));
        }
    }

    /** Where disasters strike, posting may be refused, and that is an end, too. */
    private static void quietly(Runnable posting) {
        try {
            posting.run();
        } catch (VerbsException refused) {
            // The queue pair or its queue is gone or full: nothing was posted.
        }
    }

    private void step() {
        int cell = nextCell++ % Site.CELLS;
        switch (lots.nextInt(10)) {
            case 0, 1, 2 -> onRc(plain.local(), cell);
            case 3, 4, 5 -> onRc(sharing.local(), cell);
            case 6 -> onDoomed(cell);
            case 7, 8 -> onUc(cell);
            default -> {
                Send send = Send.of(cell, a.source(cell, lots.nextInt(1000)));
                UdAddress to = lots.nextInt(5) == 0 ? new UdAddress(address.path(), address.qpNumber(), 99) : address;
                post(() -> udFrom.submit(to, send), () -> {});
            }
        }
    }

    private void onRc(RcQueuePair qp, int cell) {
        int bytes = lots.nextInt(Site.CELL + 1);
        switch (lots.nextInt(6)) {
            case 0 -> submit(qp, Send.of(cell, a.source(cell, bytes)).withImmediate(cell), () -> {});
            case 1 -> submit(qp, Send.of(cell, a.source(cell, bytes)).solicited(), () -> {});
            case 2 ->
                submit(
                        qp,
                        RdmaWrite.of(cell, a.source(cell, bytes), b.remoteTarget(cell)),
                        () -> same("WRITE " + cell, a.sourceBytes(cell, bytes), b.targetBytes(cell, bytes)));
            case 3 ->
                submit(
                        qp,
                        RdmaRead.of(cell, a.target(cell, bytes), b.region.remote((long) cell * Site.CELL)),
                        () -> same("READ " + cell, b.sourceBytes(cell, bytes), a.targetBytes(cell, bytes)));
            case 4 ->
                submit(qp, FetchAdd.of(cell, a.result(cell), b.word(lots.nextInt(4), lots.nextBoolean()), 1), () -> {});
            default ->
                submit(
                        qp,
                        CompareAndSwap.of(
                                cell,
                                a.result(cell),
                                b.word(lots.nextInt(4), lots.nextBoolean()),
                                lots.nextInt(4),
                                lots.nextInt(4)),
                        () -> {});
        }
    }

    /** Uses the key that is about to go; half of the time as the reader, half as the writer. */
    private void onDoomed(int cell) {
        int bytes = 1 + lots.nextInt(Site.CELL);
        RcWork work = lots.nextBoolean()
                ? RdmaWrite.of(
                        cell,
                        a.doomed.slice((long) cell * Site.CELL, bytes),
                        b.doomed.remote(b.remoteTarget(cell).address() - b.region.address()))
                : RdmaRead.of(cell, a.target(cell, bytes), b.doomed.remote((long) cell * Site.CELL));
        submit(doomed.local(), work, () -> {});
    }

    /** What no adapter may let pass; each ends its connection. */
    private void trespass() {
        RemoteAddress to = switch (lots.nextInt(4)) {
            case 0 -> b.narrow.remote(b.narrow.lengthBytes() - 8);
            case 1 -> b.readable.remote(0);
            case 2 -> b.foreign.remote(0);
            default -> b.region.remote(b.remoteTarget(0).address() - b.region.address());
        };
        submit(trespasser.local(), RdmaWrite.of(1, a.source(0, 64), to), () -> {});
        submit(trespasser.local(), RdmaWrite.of(2, a.source(0, 64), to), () -> {});
    }

    private void onUc(int cell) {
        int bytes = lots.nextInt(Site.CELL + 1);
        if (lots.nextBoolean()) {
            Send send = Send.of(cell, a.source(cell, bytes)).withImmediate(cell);
            post(() -> uc.local().submit(send), () -> {});
        } else {
            RdmaWrite write = RdmaWrite.of(cell, a.source(cell, bytes), b.remoteTarget(cell));
            post(() -> uc.local().submit(write), () -> {});
        }
    }

    private void submit(RcQueuePair qp, RcWork work, Runnable check) {
        post(() -> qp.submit(work), check);
    }

    private void post(Supplier<CompletionStage<WorkCompletion>> posting, Runnable check) {
        requests.add(new Request(posting.get(), check));
    }

    private boolean ended(Request request) {
        try {
            Duration patience = world.faults().hasForged() ? REST : PATIENCE;
            return world.await(request.stage, patience).status() == Status.SUCCESS;
        } catch (VerbsException | CompletionException failed) {
            return false;
        }
    }

    private static void same(String what, byte[] wanted, byte[] found) {
        int at = Arrays.mismatch(wanted, found);
        if (at >= 0) {
            throw new AssertionError(
                    what + " ended with SUCCESS, but its byte " + at + " is " + found[at] + " and not " + wanted[at]);
        }
    }

    /** Arm, poll until empty, wait, arm again, poll again: the loop that loses nothing (ibv_req_notify_cq(3)). */
    private void listen() {
        shared.arm(CompletionQueue.Arm.ANY);
        drain().thenAccept(done -> await());
    }

    private void await() {
        channel.next().thenAccept(queue -> {
            queue.arm(CompletionQueue.Arm.ANY);
            drain().thenAccept(done -> await());
        });
    }

    private CompletionStage<Void> drain() {
        return shared.poll(16)
                .thenCompose(polled -> polled.isEmpty() ? CompletableFuture.completedStage(null) : drain());
    }

    private void heardOfEverything() {
        try {
            if (!world.await(shared.poll(1)).isEmpty()) {
                throw new AssertionError("a completion stands in the queue, and its wake-up never came");
            }
        } catch (VerbsException gone) {
            // A disaster took the queue.
        }
    }
}
