// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid runs that combine two features, in which no invariant may report a violation. */
class FeaturesThatMeetTest {
    private static final int BYTES = 1 << 14;
    private static final long KEY = 0xDC;

    private static Side side(World world, String name, Profile profile) {
        return Side.of(world.network(), world.adapter(name, profile), "app", BYTES);
    }

    private static void guard(World world, Side side) {
        world.guard(side.adapter(), "app", side.memory());
    }

    /** Connects queue pairs whose results travel in completions; the results of such atomics are in network order. */
    private static Ends<RcEnd> inlineResults(World world, Profile profile) {
        List<QpDescription<RcQueuePair>> queues = new ArrayList<>();
        List<Side> sides = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Side side = side(world, i == 0 ? "a" : "b", profile);
            guard(world, side);
            CompletionQueue queue =
                    world.await(side.context().createCq(CqDescription.of(64).withEntryBytes(128)));
            queues.add(QpDescription.rc()
                    .withSendCq(queue)
                    .withRecvCq(queue)
                    .withCapacity(QpCapacity.DEFAULT
                            .withMaxAtomicBytes(32)
                            .withMaxInlineReceiveBytes(64)
                            .withMaxInlineResultBytes(64))
                    .withBigEndianReplies()
                    .withSignalAll());
            sides.add(side);
        }
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                sides.get(0).domain(), queues.get(0), sides.get(1).domain(), queues.get(1)));
        return new Ends<>(new RcEnd(sides.get(0), pair.local()), new RcEnd(sides.get(1), pair.remote()));
    }

    private static WorkCompletion done(World world, RcEnd end, RcWork work) {
        end.qp().post(work);
        world.runFor(Duration.ofMillis(1));
        return world.await(end.sendCq().poll(1)).getFirst();
    }

    // rules inline-receive, atomic-reply-order
    @Test
    void aBigEndianResultMayBeInline() {
        Profile profile = Profile.CONNECTX_5;
        try (World world = World.of(1)) {
            Ends<RcEnd> ends =
                    inlineResults(world, profile.with(profile.atomics().withBigEndianReplies(true)));
            ends.b().memory().write(64, new byte[8]);
            WorkCompletion completion = done(
                    world,
                    ends.a(),
                    FetchAdd.of(1, ends.a().slice(0, 8), ends.b().remote(0), 0x0102));
            assertThat(completion.status()).isEqualTo(Status.SUCCESS);
            WorkCompletion second = done(
                    world,
                    ends.a(),
                    FetchAdd.of(2, ends.a().slice(8, 8), ends.b().remote(0), 1));
            assertThat(second.status()).isEqualTo(Status.SUCCESS);
            assertThat(ends.a().memory().read(8, 8))
                    .isEqualTo(ByteBuffer.allocate(8).putLong(0x0102).array());
            world.runFor(Duration.ofMillis(1));
        }
    }

    // rules inline-receive, atomic-reply-order
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void aMaskedResultOfEverySizeMayBeInline(int size) {
        try (World world = World.of(2)) {
            Ends<RcEnd> ends = inlineResults(world, Profile.CONNECTX_5);
            for (int i = 0; i < 2; i++) {
                WorkCompletion completion = done(
                        world,
                        ends.a(),
                        MaskedFetchAdd.of(
                                i, ends.a().slice(32L * i, size), ends.b().remote(0), AtomicValue.ones(size)));
                assertThat(completion.status()).isEqualTo(Status.SUCCESS);
            }
            assertThat(ends.a().memory().read(32, size)).containsOnly(-1);
            world.runFor(Duration.ofMillis(1));
        }
    }

    // rule memory-atomic
    @Test
    void anAtomicOfABigEndianHostChangesGuardedMemory() {
        WorldOptions options = WorldOptions.of(3).with(HostMachine.DEFAULT.withByteOrder(ByteOrder.BIG_ENDIAN));
        try (World world = World.of(options)) {
            Ends<RcEnd> ends = inlineResults(world, Profile.CONNECTX_5);
            WorkCompletion completion = done(
                    world,
                    ends.a(),
                    FetchAdd.of(1, ends.a().slice(0, 8), ends.b().remote(0), 0x0102));
            assertThat(completion.status()).isEqualTo(Status.SUCCESS);
            assertThat(ends.b().memory().read(0, 8)).endsWith(1, 2);
            world.runFor(Duration.ofMillis(1));
        }
    }

    // rules tag-header, paging-fault
    /** The message matches its tag when it first arrives, and is stored when it is retransmitted. */
    @ParameterizedTest
    @ValueSource(ints = {100, 3000})
    void aTaggedMessageMayMeetAnAbsentPage(int length) {
        try (World world = World.of(4)) {
            Side into = side(world, "tagged", Profile.CONNECTX_5);
            Side from = side(world, "sender", Profile.CONNECTX_5);
            CompletionQueue queue = world.await(into.context().createCq(64));
            TagSharedReceiveQueue tags =
                    world.await(into.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(queue))));
            Ends<RcEnd> ends =
                    RcEnd.connect(world.network(), Half.on(from), Half.on(into).withSrq(tags), RcConnection.DEFAULT);
            MemoryRegion cold = world.await(into.domain()
                    .register(Registration.of(into.context().process().allocate(BYTES))
                            .withOnDemandPaging()
                            .withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            tags.add(TagAdd.of(1, Receive.of(1, cold.slice(0, BYTES)), 7));
            byte[] data = MarkedBytes.of(5, length);
            from.memory().write(0, TagHeader.eager(0, 7).bytes());
            from.memory().write(TagHeader.BYTES, data);
            WorkCompletion sent = world.await(ends.a().submit(Send.of(2, from.slice(0, TagHeader.BYTES + length))));
            assertThat(sent.status()).isEqualTo(Status.SUCCESS);
            assertThat(cold.memory().read(0, length)).isEqualTo(data);
            world.runFor(Duration.ofMillis(100));
        }
    }

    /** An initiator with streams, and a target. */
    private static final class Streams {
        final World world;
        final Side asks;
        final Side asked;
        final DcInitiator initiator;
        final DcAddress to;
        final SharedReceiveQueue receives;

        Streams(World world) {
            this.world = world;
            asks = side(world, "a", Profile.CONNECTX_6);
            asked = side(world, "b", Profile.CONNECTX_6);
            initiator = world.await(asks.domain().createQp(QpDescription.dc().withStreams(new DcStreams(2, 2))));
            world.await(initiator.open(RcConnection.DEFAULT));
            CompletionQueue queue = world.await(asked.context().createCq(64));
            queue.completions().subscribe(Subscribers.forEach(each -> {}));
            receives = world.await(asked.domain().createSrq(SrqDescription.DEFAULT));
            DcTarget target = world.await(
                    asked.domain().createDcTarget(DcTargetDescription.of(queue, receives, DcAccessKey.of(KEY))));
            world.await(target.open(RcConnection.DEFAULT));
            to = DcAddress.of(
                    world.await(asks.domain().createAddressHandle(AddressVector.to(target.gid()))),
                    target.number(),
                    DcAccessKey.of(KEY));
        }

        void allSucceed(List<CompletionStage<WorkCompletion>> stages) {
            for (CompletionStage<WorkCompletion> each : stages) {
                assertThat(world.await(each).status()).isEqualTo(Status.SUCCESS);
            }
            world.runFor(Duration.ofMillis(100));
        }
    }

    // rules rc-read-parts, dc-streams
    @Test
    void eachStreamReadsByNumbersOfItsOwn() {
        try (World world = World.of(5)) {
            Streams dc = new Streams(world);
            CompletionStage<WorkCompletion> longer =
                    dc.initiator.submit(dc.to, 0, RdmaRead.of(1, dc.asks.slice(0, 4096), dc.asked.remote(0)));
            CompletionStage<WorkCompletion> shorter =
                    dc.initiator.submit(dc.to, 1, RdmaRead.of(2, dc.asks.slice(4096, 64), dc.asked.remote(8)));
            CompletionStage<WorkCompletion> behind =
                    dc.initiator.submit(dc.to, 1, RdmaRead.of(3, dc.asks.slice(8192, 64), dc.asked.remote(8)));
            dc.allSucceed(List.of(longer, shorter, behind));
        }
    }

    // rules dc-streams, rc-rnr-wait
    @Test
    void oneStreamMayOvertakeAWaitingOne() {
        try (World world = World.of(6)) {
            Streams dc = new Streams(world);
            world.faults()
                    .on(PacketMatch.packet().opcode(Opcode.DC_SEND_ONLY))
                    .first()
                    .drop();
            for (int i = 0; i < 2; i++) {
                dc.receives.postReceive(Receive.of(i, dc.asked.slice(1024L * i, 1024)));
            }
            CompletionStage<WorkCompletion> one = dc.initiator.submit(dc.to, 0, Send.of(1, dc.asks.slice(0, 64)));
            CompletionStage<WorkCompletion> other = dc.initiator.submit(dc.to, 1, Send.of(2, dc.asks.slice(0, 64)));
            dc.allSucceed(List.of(one, other));
        }
    }

    // rules rc-rnr-wait, dc-streams
    @Test
    void aStreamDoesNotWaitForTheReceiveOfAnother() {
        try (World world = World.of(7)) {
            Streams dc = new Streams(world);
            for (int stream = 0; stream < 2; stream++) {
                world.await(dc.initiator.submit(
                        dc.to, stream, RdmaRead.of(stream, dc.asks.slice(4096, 64), dc.asked.remote(8))));
            }
            CompletionStage<WorkCompletion> waits = dc.initiator.submit(dc.to, 0, Send.of(1, dc.asks.slice(0, 64)));
            world.runFor(Duration.ofNanos(20_000));
            CompletionStage<WorkCompletion> goes =
                    dc.initiator.submit(dc.to, 1, RdmaRead.of(2, dc.asks.slice(4096, 64), dc.asked.remote(8)));
            world.runFor(Duration.ofNanos(20_000));
            dc.receives.postReceive(Receive.of(1, dc.asked.slice(0, 1024)));
            dc.allSucceed(List.of(waits, goes));
        }
    }
}
