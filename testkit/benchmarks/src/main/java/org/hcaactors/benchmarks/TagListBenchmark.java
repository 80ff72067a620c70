// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.TimeUnit;
import org.hcaactors.adapter.tag.TagEntry;
import org.hcaactors.adapter.tag.TagMatcher;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.work.Receive;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Tag matching alone, without messages: the adapter's list compared with a linked list. Each look-up finds the last of a number
 * of entries, which is then appended again.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class TagListBenchmark {
    @State(Scope.Thread)
    public static class Linked {
        @Param({"1", "16", "128", "1023"})
        int compared;

        private final WaitingReceives list = new WaitingReceives();

        @Setup(Level.Trial)
        public void fill() {
            for (int i = compared - 1; i >= 0; i--) {
                list.append(new WaitingReceives.Waiting(Matching.TAG + i, TagAdd.EXACTLY, i));
            }
        }
    }

    @State(Scope.Thread)
    public static class Adapters {
        @Param({"1", "16", "128", "1023"})
        int compared;

        private final TagMatcher matcher = new TagMatcher();
        private final TagAdd last = TagAdd.of(0, Receive.of(0), Matching.TAG);
        private long serial;

        @Setup(Level.Trial)
        public void fill() {
            for (int i = compared - 1; i > 0; i--) {
                matcher.carryOut(TagAdd.of(i, Receive.of(i), Matching.TAG + i), ++serial);
            }
            matcher.carryOut(last, ++serial);
        }
    }

    @Benchmark
    public int floorLinkedList(Linked linked) {
        WaitingReceives.Waiting found = linked.list.take(Matching.TAG);
        linked.list.append(found);
        return found.number;
    }

    @Benchmark
    public long adaptersList(Adapters adapters) {
        TagEntry found = adapters.matcher.match(Matching.TAG).orElseThrow();
        adapters.matcher.finished(found);
        adapters.matcher.carryOut(adapters.last, ++adapters.serial);
        return found.serial();
    }
}
