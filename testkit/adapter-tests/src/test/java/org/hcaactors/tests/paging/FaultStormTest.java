// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pages are evicted as soon as they are accessed, on both sides, so that each next access faults: all of the traffic still
 * arrives.
 */
@Tag("nightly")
class FaultStormTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 8);

    private static final int MESSAGES = 6;

    /** Requests from and to the peer's memory. */
    enum Verb {
        SEND,
        WRITE,
        READ,
        FETCH_ADD,
        COMPARE_SWAP
    }

    /** Evicts pages after every access. */
    private static final class Storm implements Invariant {
        private Optional<Paged> over = Optional.empty();
        private int takings;

        @Override
        public String name() {
            return "storm";
        }

        @Override
        public void on(TraceEvent event, TraceState known, Report report) {
            switch (event) {
                case HcaEvent.MemoryRead read -> touched(read, read.key(), read.address(), read.lengthBytes());
                case HcaEvent.MemoryWritten write ->
                    touched(write, write.key(), write.address(), write.bytes().length());
                case HcaEvent.AtomicExecuted atomic ->
                    touched(
                            atomic,
                            atomic.key(),
                            atomic.address(),
                            atomic.after().sizeBytes());
                default -> {}
            }
        }

        private void touched(HcaEvent use, int key, long address, int count) {
            over.ifPresent(paged -> {
                MemoryRegion region = use.port().equals("a") ? paged.a : paged.b;
                if (region.lkey() == key) {
                    // A page already evicted does not count again: several accesses in one turn are one eviction.
                    takings += region.memory().evict(address - region.address(), count) > 0 ? 1 : 0;
                }
            });
        }
    }

    // rules paging-gather, paging-response, paging-rnr, paging-stream, paging-contention
    @ParameterizedTest
    @EnumSource
    void messagesArriveThoughPagesAreEvictedAfterEveryAccess(Verb verb) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Storm storm = new Storm();
            try (Paged paged = Paged.in(World.of(WorldOptions.of(seed).with(storm)))) {
                storm.over = Optional.of(paged);
                weather(verb, paged, new SplittableRandom(seed));
                assertThat(paged.ofA().pageFaults() + paged.ofB().pageFaults())
                        .as(
                                "seed %d: each message faults on both sides, also where its packets leave in one turn",
                                seed)
                        .isGreaterThanOrEqualTo(2 * MESSAGES);
                assertThat(paged.ofA().invalidations() + paged.ofB().invalidations())
                        .isEqualTo(storm.takings);
                assertThat(paged.ofA().failedResolutions() + paged.ofB().failedResolutions())
                        .isZero();
            }
        }
    }

    private static void weather(Verb verb, Paged paged, SplittableRandom random) {
        byte[] ours = Paged.counted(Paged.BYTES);
        byte[] theirs = new byte[Paged.BYTES];
        random.nextBytes(theirs);
        paged.a.memory().write(0, ours);
        paged.b.memory().write(0, theirs);
        for (int i = 0; i < MESSAGES; i++) {
            int count = i == MESSAGES - 1 ? 5 * PAGE + 123 : 1 + random.nextInt(PAGE);
            int at = 8 * random.nextInt((Paged.BYTES - count) / 8);
            if (verb == Verb.SEND) {
                paged.pair.b().qp().postReceive(Receive.of(i, paged.b.slice(at, count)));
            }
            WorkCompletion done = paged.world.await(paged.pair.a().qp().submit(work(verb, paged, i, at, count)));
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            expect(verb, at, count, ours, theirs);
        }
        paged.quiet();
        assertThat(Arrays.equals(paged.a.memory().read(0, Paged.BYTES), ours))
                .as("%s, here", verb)
                .isTrue();
        assertThat(Arrays.equals(paged.b.memory().read(0, Paged.BYTES), theirs))
                .as("%s, there", verb)
                .isTrue();
    }

    private static RcWork work(Verb verb, Paged paged, int id, int at, int count) {
        return switch (verb) {
            case SEND -> Send.of(id, paged.a.slice(at, count));
            case WRITE -> RdmaWrite.of(id, paged.a.slice(at, count), paged.b.remote(at));
            case READ -> RdmaRead.of(id, paged.a.slice(at, count), paged.b.remote(at));
            case FETCH_ADD -> FetchAdd.of(id, paged.a.slice(at, Long.BYTES), paged.b.remote(at), 1);
            case COMPARE_SWAP -> CompareAndSwap.of(id, paged.a.slice(at, Long.BYTES), paged.b.remote(at), 0, 1);
        };
    }

    private static void expect(Verb verb, int at, int count, byte[] ours, byte[] theirs) {
        switch (verb) {
            case SEND, WRITE -> System.arraycopy(ours, at, theirs, at, count);
            case READ -> System.arraycopy(theirs, at, ours, at, count);
            case FETCH_ADD -> {
                System.arraycopy(theirs, at, ours, at, Long.BYTES);
                ByteBuffer words = ByteBuffer.wrap(theirs).order(ByteOrder.nativeOrder());
                words.putLong(at, words.getLong(at) + 1);
            }
            case COMPARE_SWAP -> {
                System.arraycopy(theirs, at, ours, at, Long.BYTES);
                ByteBuffer words = ByteBuffer.wrap(theirs).order(ByteOrder.nativeOrder());
                words.putLong(at, words.getLong(at) == 0 ? 1 : words.getLong(at));
            }
        }
    }
}
