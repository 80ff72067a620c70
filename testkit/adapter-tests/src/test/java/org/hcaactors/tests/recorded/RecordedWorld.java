// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.recording.RecordedPacket;
import org.hcaactors.fabric.recording.RecordedPeer;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Replay;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/** A world with one adapter whose peer is a capture, and a process with memory. */
final class RecordedWorld implements AutoCloseable {
    static final int MEMORY_BYTES = 1 << 16;
    static final String SERVER = "10.77.0.2";
    static final String CLIENT = "10.77.0.3";

    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final FirstNumbers NUMBERS = new FirstNumbers(0x4711, 0x1234_5600, 77);

    final World world;
    final Adapter adapter;
    final DeviceContext context;
    final ProtectionDomain domain;
    final HostMemory memory;
    final MemoryRegion region;
    final RecordedPeer peer;
    final CompletionQueue received;
    private final Deque<WorkCompletion> completions = new ArrayDeque<>();
    private Optional<CompletableFuture<WorkCompletion>> waiter = Optional.empty();

    private RecordedWorld(WorldOptions options) {
        world = World.of(options);
        adapter = world.adapter("hca", Profile.SOFT_ROCE);
        HostProcess process = adapter.process("app");
        context = process.open();
        domain = context.allocatePd();
        memory = process.allocate(MEMORY_BYTES);
        region = world.await(domain.register(Registration.of(memory).withAccess(Access.values())));
        peer = world.network().recordedPeer();
        received = world.await(context.createCq(512));
        received.completions().subscribe(Subscribers.forEach(this::completed));
    }

    static RecordedWorld of(long seed, RecordedCable cable) {
        return new RecordedWorld(WorldOptions.of(seed).with(NUMBERS).with(cable));
    }

    static RecordedCable capture(String name, String peer) {
        return Cable.recorded(path(name), address(peer));
    }

    static Path path(String name) {
        return CAPTURES.resolve(name);
    }

    static InetAddress address(String digits) {
        try {
            return InetAddress.getByName(digits);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void completed(WorkCompletion completion) {
        if (waiter.isPresent()) {
            CompletableFuture<WorkCompletion> waiting = waiter.get();
            waiter = Optional.empty();
            waiting.complete(completion);
        } else {
            completions.add(completion);
        }
    }

    /** Waits for the next receive. */
    WorkCompletion next() {
        if (completions.isEmpty()) {
            CompletableFuture<WorkCompletion> waiting = new CompletableFuture<>();
            waiter = Optional.of(waiting);
            return world.await(waiting);
        }
        return completions.remove();
    }

    /** Returns the terms under which the recorded program of this side was connected. */
    RcConnection terms(RecordedQueuePair ends) {
        return RcConnection.DEFAULT.withSendPsn(ends.firstPsn()).withReceivePsn(ends.peerFirstPsn());
    }

    /** Connects a queue pair to a recorded one, as after an exchange over TCP. */
    RcQueuePair connect(RecordedQueuePair ends) {
        RcQueuePair qp = world.await(domain.createQp(QpDescription.rc().withRecvCq(received)));
        world.await(qp.connect(Gid.of(peer.address()), ends.peerNumber(), terms(ends)));
        peer.exchange(ends, qp.number());
        return qp;
    }

    Replay.Complete complete() {
        return (Replay.Complete) world.await(peer.end());
    }

    int packetsOfPeer(RecordedCable cable) {
        return (int) cable.recording().packets().stream()
                .filter(RecordedPacket::ofPeer)
                .count();
    }

    /** Returns every packet in the order of sending, with its time. */
    List<String> packets() {
        world.settle();
        return world.trace().events().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .map(sent -> sent.stamp().nanos() + " " + sent.port() + " "
                        + HexFormat.of().formatHex(FrameEncoder.encode(sent.packet())))
                .toList();
    }

    @Override
    public void close() {
        world.close();
    }
}
