// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.UcEnd;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.PacketCapture;

/** Traffic of two Soft-RoCE adapters in a world over a wire that does what its plan says, and captures of it. */
final class TestTraffic {
    /** Point of a capture. */
    enum Tap {
        /** At both ends, as the testkit writes it: sent and received packets. */
        BOTH_ENDS(event -> true),
        /** At the requester's cable. */
        REQUESTER(event -> event instanceof FabricEvent fabric && fabric.port().equals("a")),
        /** At the responder's cable. */
        RESPONDER(event -> event instanceof FabricEvent fabric && fabric.port().equals("b")),
        /** Before the wire did anything: everything is seen once, as it was sent. */
        BEFORE_THE_WIRE(event -> event instanceof FabricEvent.Sent),
        /** Behind all that the wire did: everything is seen as it arrived. */
        BEHIND_THE_WIRE(event -> !(event instanceof FabricEvent.Sent));

        private final Predicate<TraceEvent> sees;

        Tap(Predicate<TraceEvent> sees) {
            this.sees = sees;
        }
    }

    private static final int PAIRS = 2;
    private static final int STEPS = 60;
    private static final int CELL = 4096;
    private static final int CELLS = 64;
    private static final int QKEY = 0x1111_2222;
    private static final QpCapacity ROOM =
            QpCapacity.DEFAULT.withMaxRecvWr(512).withMaxSge(1).withMaxInlineBytes(0);

    private final World world;
    private final SplittableRandom random;
    private final List<ConnectedPair> pairs = new ArrayList<>();
    private final List<CompletionStage<WorkCompletion>> requests = new ArrayList<>();
    private final Ends<UcEnd> uc;
    private final Ends<UdEnd> ud;

    private TestTraffic(World world) {
        this.world = world;
        random = RandomStreams.of(world.seed(), "conform");
        Adapter a = world.network().addAdapter("a", Profile.SOFT_ROCE, World.DEFAULT_LINK);
        Adapter b = world.network().addAdapter("b", Profile.SOFT_ROCE, World.DEFAULT_LINK);
        PathMtu mtu = random.nextBoolean() ? PathMtu.BYTES_256 : PathMtu.BYTES_1024;
        for (int i = 0; i < PAIRS; i++) {
            RcConnection attributes = RcConnection.DEFAULT
                    .withMtu(mtu)
                    .withTimeoutCode(4 + random.nextInt(3))
                    .withRetryCount(7)
                    .withRnrRetry(7)
                    .withMinRnrTimerCode(1)
                    .withRdAtomic(1 + random.nextInt(8))
                    .withFirstPsn(Psn.plus(0xFF_FFC0, random.nextInt(128)));
            pairs.add(world.connect(a, b, Shape.DEFAULT.with(attributes).with(ROOM)));
        }
        ConnectedPair first = pairs.getFirst();
        Half from = Half.on(first.a().side()).withSendCq(first.a().sendCq());
        Half to = Half.on(first.b().side()).withRecvCq(first.b().recvCq()).withCapacity(ROOM);
        uc = UcEnd.connect(
                world.network(),
                from.withCapacity(ROOM),
                to,
                UcConnection.DEFAULT.withMtu(mtu).withFirstPsn(77));
        ud = UdEnd.introduce(world.network(), from, to, QKEY);
        for (int i = 0; i < STEPS; i++) {
            for (ConnectedPair pair : pairs) {
                pair.b().qp().postReceive(Receive.of(i, receive(pair, i)));
            }
            uc.b().postReceive(Receive.of(i, receive(first, i)));
            ud.b().postReceive(Receive.of(i, receive(first, i)));
        }
    }

    private static LocalSlice receive(ConnectedPair pair, int number) {
        return pair.b().slice((long) (CELLS + number % CELLS) * CELL, CELL);
    }

    /** Runs the traffic of a seed in a world of its own, and writes what the tap saw of it. */
    static Path capture(long seed, FaultPlan plan, Tap tap, Path folder) throws IOException {
        try (World world = World.of(seed)) {
            TestTraffic traffic = new TestTraffic(world);
            world.faults().arm(plan);
            traffic.run();
            List<TraceEvent> seen =
                    world.trace().events().stream().filter(tap.sees).toList();
            Path file = folder.resolve("seed-" + seed + "-" + tap + ".pcapng");
            try (OutputStream out = Files.newOutputStream(file)) {
                PacketCapture.write(seen, out);
            }
            return file;
        }
    }

    private void run() {
        for (int step = 0; step < STEPS; step++) {
            int cell = step % CELLS;
            switch (random.nextInt(8)) {
                case 0 -> onUc(cell);
                case 1 ->
                    requests.add(ud.a().submit(Send.of(cell, ud.a().slice((long) cell * CELL, random.nextInt(1000)))));
                default -> onRc(pairs.get(random.nextInt(PAIRS)), cell);
            }
            if (random.nextInt(6) == 0) {
                world.runFor(Duration.ofNanos(random.nextInt(20_000)));
            }
        }
        for (CompletionStage<WorkCompletion> request : requests) {
            ended(request);
        }
        world.heal(Duration.ofSeconds(60));
    }

    private void ended(CompletionStage<WorkCompletion> request) {
        try {
            world.await(request, Duration.ofMillis(50));
        } catch (VerbsException late) {
            // A wire that loses everything ends requests, too.
        }
    }

    private void onUc(int cell) {
        LocalSlice from = slice(pairs.getFirst(), cell);
        requests.add(
                random.nextBoolean()
                        ? uc.a().submit(Send.of(cell, from).withImmediate(cell))
                        : uc.a()
                                .submit(RdmaWrite.of(
                                        cell, from, pairs.getFirst().b().remote((long) cell * CELL))));
    }

    private LocalSlice slice(ConnectedPair pair, int cell) {
        return pair.a().slice((long) cell * CELL, random.nextInt(CELL + 1));
    }

    private void onRc(ConnectedPair pair, int cell) {
        RcWork work = switch (random.nextInt(7)) {
            case 0 -> Send.of(cell, slice(pair, cell));
            case 1 -> Send.of(cell, slice(pair, cell)).withImmediate(cell);
            case 2 -> RdmaWrite.of(cell, slice(pair, cell), pair.b().remote((long) cell * CELL));
            case 3 ->
                RdmaWrite.of(cell, slice(pair, cell), pair.b().remote((long) cell * CELL))
                        .withImmediate(cell);
            case 4 ->
                FetchAdd.of(
                        cell, pair.a().slice((long) cell * CELL, 8), pair.b().remote(0), 1 + cell);
            case 5 ->
                CompareAndSwap.of(
                        cell, pair.a().slice((long) cell * CELL, 8), pair.b().remote(8), 0, cell);
            default -> RdmaRead.of(cell, slice(pair, cell), pair.b().remote((long) cell * CELL));
        };
        requests.add(pair.a().qp().submit(work));
    }
}
