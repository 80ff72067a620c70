// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

// rules atomic-masked-swap, atomic-masked-add, memory-atomic
/**
 * Plain and masked atomics of several connections on a few words, in all sizes that both adapters support, overlapping, under
 * several keys of the same memory. Next to the words is a counter with four fields, to which only ones are added: at the end
 * each field equals the number of successful additions, without a carry into the next.
 */
final class SharedWords implements Workload {
    private static final int WORDS_BYTES = 64;
    private static final int TALLY = WORDS_BYTES;
    private static final int FIELDS = 4;
    private static final int FIELD_BITS = 16;
    private static final AtomicValue FIELD_ENDS = AtomicValue.ofLong(0x8000_8000_8000_8000L);
    private static final int MAX_PAIRS = 3;
    private static final int MAX_BYTES = 32;
    private static final int RESULTS = 64;
    private static final long TALLY_RESULT = (long) RESULTS * MAX_BYTES;

    /** Few values, so that a compare often matches. */
    private static final int SMALL = 3;

    private record Line(Ends<RcEnd> pair, QueuePairLife life) {}

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final HostMemory words;
    private final List<MemoryRegion> keys = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final int[] tried = new int[FIELDS];
    private final int[] succeeded = new int[FIELDS];
    private final Side results;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("shared words cannot start", () -> new SharedWords(sweep))
                .orElse(() -> {});
    }

    private SharedWords(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("shared words");
        Side target = Side.within(sweep.world().network(), sweep.b().domain, WORDS_BYTES + Long.BYTES);
        words = target.memory();
        results = Side.within(sweep.world().network(), sweep.a().domain, TALLY_RESULT + Long.BYTES);
        keys.add(target.region());
        for (int i = random.nextInt(3); i > 0; i--) {
            keys.add(sweep.world()
                    .await(target.domain().register(Registration.of(words).withAccess(AccessFlags.LOCAL_AND_REMOTE))));
        }
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(sweep.b().adapter, SweepNode.PROCESS, words);
        }
        int both = sweep.a().adapter.profile().atomics().maskedSizes()
                & sweep.b().adapter.profile().atomics().maskedSizes();
        sizes.addAll(AtomicCapabilities.sizes(both));
        for (int i = 1 + random.nextInt(MAX_PAIRS); i > 0; i--) {
            Half half = Half.on(results).withCapacity(QpCapacity.DEFAULT.withMaxAtomicBytes(MAX_BYTES));
            lines.add(new Line(
                    sweep.connected(
                            half, sweep.b().half(), sweep.patient(random).withRdAtomic(1 + random.nextInt(8))),
                    sweep.promises().life("shared words")));
        }
    }

    @Override
    public void step() {
        Line line = lines.get(random.nextInt(lines.size()));
        if (sizes.isEmpty() || random.nextInt(4) == 0) {
            post(line, plain(), result -> {});
        } else if (random.nextInt(3) == 0) {
            count(line);
        } else {
            post(line, random.nextBoolean() ? sum() : swap(), result -> {});
        }
    }

    private void post(Line line, RcWork work, Consumer<Boolean> ended) {
        var stage = line.pair.a().qp().submit(work);
        line.life.add(work.getClass().getSimpleName(), stage, () -> {});
        stage.thenAccept(completion -> ended.accept(completion.isSuccess()));
    }

    private void count(Line line) {
        int field = random.nextInt(FIELDS);
        tried[field]++;
        AtomicValue one = AtomicValue.ofLong(1L << field * FIELD_BITS);
        post(
                line,
                MaskedFetchAdd.of(TALLY, results.slice(TALLY_RESULT, Long.BYTES), remote(TALLY), one)
                        .withBoundary(FIELD_ENDS),
                success -> succeeded[field] += success ? 1 : 0);
    }

    private RcWork plain() {
        RemoteAddress word = remote(place(Long.BYTES));
        return random.nextBoolean()
                ? FetchAdd.of(0, result(Long.BYTES), word, 1)
                : CompareAndSwap.of(0, result(Long.BYTES), word, random.nextInt(SMALL), random.nextInt(SMALL));
    }

    private RcWork sum() {
        int bytes = size();
        MaskedFetchAdd one = MaskedFetchAdd.of(0, result(bytes), remote(place(bytes)), few(bytes));
        return switch (random.nextInt(3)) {
            case 0 -> one;
            case 1 -> one.withBoundary(any(bytes));
            default -> one.withBoundary(AtomicValue.ones(bytes));
        };
    }

    private RcWork swap() {
        int bytes = size();
        return MaskedCompareAndSwap.of(0, result(bytes), remote(place(bytes)), few(bytes), any(bytes))
                .withCompareMask(random.nextBoolean() ? few(bytes) : any(bytes).and(any(bytes)))
                .withSwapMask(any(bytes));
    }

    private int size() {
        return sizes.get(random.nextInt(sizes.size()));
    }

    private int place(int bytes) {
        return random.nextInt(WORDS_BYTES / bytes) * bytes;
    }

    private RemoteAddress remote(int offset) {
        return keys.get(random.nextInt(keys.size())).remote(offset);
    }

    private LocalSlice result(int bytes) {
        return results.slice((long) random.nextInt(RESULTS) * MAX_BYTES, bytes);
    }

    /** Returns a small number. */
    private AtomicValue few(int bytes) {
        return filled(bytes, i -> i == 0 ? random.nextInt(SMALL) : 0);
    }

    private AtomicValue any(int bytes) {
        return filled(bytes, i -> random.nextLong());
    }

    /**
     * Fills a value.
     *
     * @param word returns the word by its position, the least significant first
     */
    private static AtomicValue filled(int bytes, IntToLongFunction word) {
        if (bytes == Integer.BYTES) {
            return AtomicValue.ofInt((int) word.applyAsLong(0));
        }
        long[] filled = new long[bytes / Long.BYTES];
        Arrays.setAll(filled, i -> word.applyAsLong(filled.length - 1 - i));
        return AtomicValue.ofWords(filled);
    }

    @Override
    public void atRest() {
        FaultSeverity severity = sweep.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        long tally = words.readLong(TALLY);
        long seen = results.memory().readLong(TALLY_RESULT);
        for (int field = 0; field < FIELDS; field++) {
            int counted = field(tally, field);
            if (counted < succeeded[field] || counted > tried[field] || field(seen, field) > counted) {
                throw new AssertionError(
                        "shared words: field %d of the word is %d and was %d, but %d of %d additions succeeded"
                                .formatted(field, counted, field(seen, field), succeeded[field], tried[field]));
            }
        }
    }

    private static int field(long tally, int number) {
        return (int) (tally >>> number * FIELD_BITS) & 0xFFFF;
    }
}
