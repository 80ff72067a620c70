// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;

/** A world with the one or two adapters of a test's ends, and helpers for the tests of the suite. */
final class Ground implements AutoCloseable {
    static final int PAGE = 4096;
    static final char OURS = 'a';
    static final char THEIRS = 'b';
    /** A page of memory per side, and few retries, so that they are soon exhausted. */
    static final Shape SHAPE = new Shape(
            RcConnection.DEFAULT
                    .withTimeoutCode(14)
                    .withRetryCount(5)
                    .withRnrRetry(5)
                    .withMinRnrTimerCode(12),
            Shape.DEFAULT.capacity(),
            Shape.DEFAULT.cqEntries(),
            PAGE);

    private static final Duration LONG = Duration.ofMinutes(5);
    /** No adapter gives out a key near it. */
    private static final int NO_KEY = 0xDEAD_BEEF;

    private final World world;
    private final Adapter a;
    private final Adapter b;

    Ground(Wiring wiring) {
        this(wiring, 31, Profile.CONNECTX_5);
    }

    Ground(Wiring wiring, long seed, Profile profile) {
        world = World.of(seed);
        a = world.network().addAdapter("a", profile, World.DEFAULT_LINK);
        b = wiring == Wiring.LOOPBACK ? a : world.network().addAdapter("b", profile, World.DEFAULT_LINK);
    }

    World world() {
        return world;
    }

    Adapter a() {
        return a;
    }

    Adapter b() {
        return b;
    }

    <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    ConnectedPair pair() {
        return pair(SHAPE);
    }

    ConnectedPair pair(RcConnection attributes) {
        return pair(SHAPE.with(attributes));
    }

    /** Returns a connected pair with the memory of either side filled with its own letter. */
    ConnectedPair pair(Shape shape) {
        ConnectedPair pair = ConnectedPair.between(world.network(), a, b, shape);
        fill(pair.a().memory(), OURS);
        fill(pair.b().memory(), THEIRS);
        return pair;
    }

    /** Returns all completions, once nothing is in progress any more. */
    List<WorkCompletion> all(CompletionQueue cq) {
        assertThat(world.runToQuiet(LONG)).as("it is at rest").isTrue();
        return world.await(cq.poll(cq.capacity()));
    }

    WorkCompletion only(CompletionQueue cq) {
        List<WorkCompletion> all = all(cq);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    QpState state(QueuePair qp) {
        return world.await(qp.query()).state();
    }

    @Override
    public void close() {
        world.close();
    }

    static void fill(HostMemory memory, char letter) {
        memory.write(0, letters((int) memory.lengthBytes(), letter));
    }

    static void holds(HostMemory memory, char letter) {
        holds(memory, 0, (int) memory.lengthBytes(), letter);
    }

    static void holds(HostMemory memory, long offset, int lengthBytes, char letter) {
        assertThat(memory.read(offset, lengthBytes)).isEqualTo(letters(lengthBytes, letter));
    }

    private static byte[] letters(int count, char letter) {
        byte[] all = new byte[count];
        Arrays.fill(all, (byte) letter);
        return all;
    }

    static LocalSlice whole(MemoryRegion region) {
        return region.slice(0, (int) region.lengthBytes());
    }

    static LocalSlice withoutKey(LocalSlice slice) {
        return new LocalSlice(NO_KEY, slice.address(), slice.lengthBytes());
    }

    static RemoteAddress withoutKey(RemoteAddress remote) {
        return new RemoteAddress(NO_KEY, remote.address());
    }

    static void succeeded(WorkCompletion done, long id, CompletionKind kind, QueuePair qp) {
        ended(done, id, Status.SUCCESS, qp);
        assertThat(done.kind()).isEqualTo(kind);
    }

    /** Checks the fields that are valid with an error (ibv_poll_cq(3)). */
    static void ended(WorkCompletion done, long id, Status status, QueuePair qp) {
        assertThat(done.status()).isEqualTo(status);
        assertThat(done.workId()).isEqualTo(id);
        assertThat(done.qpNumber()).isEqualTo(qp.number());
    }

    static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
