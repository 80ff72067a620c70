// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.TunneledCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicUnitTest {
    private static final AtomicCapabilities HCA = AtomicCapabilities.NONE.withScope(AtomicScope.HCA);
    private static final AtomicCapabilities GLOBAL = AtomicCapabilities.NONE.withScope(AtomicScope.GLOBAL);

    private static AtomicUnit unit(AtomicCapabilities able) {
        return new AtomicUnit(able, ByteOrder.LITTLE_ENDIAN);
    }

    /** A word that the host's processor changes once, between the adapter's read and write. */
    private static final class Contended implements AtomicCell {
        private AtomicValue value = AtomicValue.ofLong(5);
        private boolean done;

        @Override
        public long firstLine() {
            return 0;
        }

        @Override
        public long lastLine() {
            return 0;
        }

        @Override
        public AtomicValue load() {
            AtomicValue seen = value;
            if (!done) {
                done = true;
                value = AtomicValue.ofLong(seen.toLong() + 100);
            }
            return seen;
        }

        @Override
        public void store(AtomicValue next) {
            value = next;
        }

        @Override
        public boolean replace(AtomicValue expected, AtomicValue next) {
            boolean same = value.equals(expected);
            value = same ? next : value;
            return same;
        }
    }

    // rule atomic-scope
    @Test
    void anAtomicOfHcaScopeLosesAConcurrentAddOfTheProcessor() {
        Contended cell = new Contended();
        assertThat(unit(HCA).update(cell, Atomic.fetchAdd(1)).toLong()).isEqualTo(5);
        assertThat(cell.value.toLong()).isEqualTo(6);
    }

    @Test
    void anAtomicOfGlobalScopeLosesNoConcurrentAdd() {
        Contended cell = new Contended();
        assertThat(unit(GLOBAL).update(cell, Atomic.fetchAdd(1)).toLong()).isEqualTo(105);
        assertThat(cell.value.toLong()).isEqualTo(106);
    }

    // rule atomic-tunneled-command
    @Test
    void aTunneledCommandIsAtomicWhateverTheAdaptersScope() {
        Contended cell = new Contended();
        unit(HCA).update(cell, new StoreAtomic(TunneledCommand.Function.ADD, AtomicValue.ofLong(1)));
        assertThat(cell.value.toLong()).isEqualTo(106);
    }

    @Test
    void aSwapThatFindsAnotherValueStoresNothing() {
        Contended cell = new Contended();
        assertThat(unit(HCA).update(cell, Atomic.compareSwap(7, 9)).toLong()).isEqualTo(5);
        assertThat(cell.value.toLong())
                .as("what the processor stored meanwhile")
                .isEqualTo(105);
    }

    // rule memory-atomic
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64})
    void concurrentAddsAllCount(int bytes) throws InterruptedException {
        MappedMemory memory = MappedMemory.at(0x1000, 4096);
        AtomicUnit unit = unit(HCA);
        Atomic one = new Atomic.FetchAdd(one(bytes), AtomicValue.zeros(bytes));
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    assertThat(start.await(60, TimeUnit.SECONDS))
                            .as("the start")
                            .isTrue();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
                for (int n = 0; n < 2_000; n++) {
                    memory.update(0x1000 + 64, one, unit);
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(60)))
                    .as("2,000 additions")
                    .isTrue();
        }
        assertThat(memory.update(0x1000 + 64, one, unit).toLong()).isEqualTo(8_000);
    }

    private static AtomicValue one(int bytes) {
        if (bytes == Integer.BYTES) {
            return AtomicValue.ofInt(1);
        }
        long[] words = new long[bytes / Long.BYTES];
        words[words.length - 1] = 1;
        return AtomicValue.ofWords(words);
    }

    @Test
    void aValueOfManyWordsIsStoredMostSignificantWordFirst() {
        MappedMemory memory = MappedMemory.at(0x1000, 64);
        memory.update(
                0x1000 + 32, new Atomic.FetchAdd(AtomicValue.ofWords(1, 2, 3, 4), AtomicValue.zeros(32)), unit(HCA));
        assertThat(LongStream.range(0, 4).map(i -> memory.readLong(32 + 8 * i))).containsExactly(1L, 2L, 3L, 4L);
    }

    // rules atomic-standard-query, atomic-reply-order
    @ParameterizedTest
    @CsvSource({
        "LITTLE_ENDIAN, false, LITTLE_ENDIAN, HCA",
        "LITTLE_ENDIAN, true, BIG_ENDIAN, NONE",
        "BIG_ENDIAN, false, BIG_ENDIAN, HCA",
        "BIG_ENDIAN, true, BIG_ENDIAN, HCA"
    })
    void bigEndianRepliesOnALittleEndianHostReportScopeNone(
            String host, boolean bigEndianReplies, String reply, AtomicScope standard) {
        AtomicCapabilities able = HCA.withBigEndianReplies(bigEndianReplies);
        AtomicUnit unit = new AtomicUnit(able, order(host));
        assertThat(unit.replyOrder(8, false)).isEqualTo(order(reply));
        assertThat(able.standardScope(order(host))).isEqualTo(standard);
        assertThat(unit.repliesSwapped()).isEqualTo(standard == AtomicScope.NONE);
    }

    private static ByteOrder order(String name) {
        return name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    @Test
    void maskedRepliesNotOfEightBytesAreInNetworkOrder() {
        AtomicUnit unit = unit(HCA.withMaskedSizes(4, 8, 16));
        assertThat(unit.replyOrder(4, true)).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(unit.replyOrder(8, true)).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(unit.replyOrder(16, true)).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(unit(HCA.withMaskedSizes(4, 8).withBigEndianReplies(true)).replyOrder(8, true))
                .isEqualTo(ByteOrder.BIG_ENDIAN);
    }
}
