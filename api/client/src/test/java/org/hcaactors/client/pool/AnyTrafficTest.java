// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.DcStreams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every policy, whatever is asked, answered and failing in whatever order. */
class AnyTrafficTest {
    private static final int RUNS = 60;
    private static final int STEPS = 120;
    private static final int TARGETS = 6;

    /** One run; what it draws is its seed's. */
    private static final class Run {
        final Random draws;
        final DciPolicy policy;
        final FakeAdapter adapter;
        final Map<Long, Integer> targets = new HashMap<>();

        Run(String kind, long seed) {
            draws = new Random(seed);
            policy = policy(kind, seed);
            int initiators = 1 + draws.nextInt(4);
            int min = policy instanceof DciPolicy.Hybrid ? 2 : 1;
            adapter = new FakeAdapter(Math.max(min, initiators), 1 + draws.nextInt(5), policy, STEPS);
            adapter.flushedBackwards = draws.nextBoolean();
        }

        void step() {
            int lot = draws.nextInt(100);
            if (lot < 50) {
                int target = draws.nextInt(TARGETS);
                targets.put(adapter.submit(target), target);
            } else {
                answer(lot >= 92);
            }
            outstandingStaysTogether();
        }

        /** One stream that has something to answer; nothing where none has. */
        void answer(boolean failing) {
            List<FakeAdapter.Fake> busy =
                    adapter.fakes.stream().filter(fake -> !fake.queue.isEmpty()).toList();
            if (busy.isEmpty()) {
                return;
            }
            FakeAdapter.Fake fake = busy.get(draws.nextInt(busy.size()));
            int stream = fake.queue.get(draws.nextInt(fake.queue.size())).stream;
            if (failing) {
                boolean all = !hasStreams(fake) || draws.nextInt(4) == 0;
                carryOutSome(fake, stream, all);
                fake.fails(stream, draws.nextBoolean() ? Status.RETRY_EXC_ERR : Status.REM_ACCESS_ERR, all);
            } else {
                fake.completes(stream);
            }
        }

        private boolean hasStreams(FakeAdapter.Fake fake) {
            return policy instanceof DciPolicy.Streams
                    || policy instanceof DciPolicy.Hybrid && fake.index == adapter.fakes.size() - 1;
        }

        /** Of each stream, any number of the first requests may have reached the target that all of them are for. */
        private void carryOutSome(FakeAdapter.Fake fake, int failing, boolean all) {
            TreeSet<Integer> streams = new TreeSet<>();
            fake.queue.forEach(entry -> streams.add(entry.stream));
            for (int stream : streams) {
                if (all || stream == failing) {
                    int target = fake.oldest(stream).target;
                    fake.queue.stream()
                            .filter(entry -> entry.stream == stream)
                            .takeWhile(entry -> entry.target == target)
                            .limit(draws.nextInt(4))
                            .forEach(entry -> adapter.carriedOut.add(entry.id));
                }
            }
        }

        void outstandingStaysTogether() {
            Map<Integer, String> where = new HashMap<>();
            for (FakeAdapter.Fake fake : adapter.fakes) {
                for (FakeAdapter.Entry entry : fake.queue) {
                    String here = fake.index + "." + entry.stream;
                    assertThat(where.putIfAbsent(entry.target, here)).isIn(null, here);
                }
                if (policy instanceof DciPolicy.Exclusive || policy instanceof DciPolicy.Quota) {
                    assertThat(fake.queue.stream().map(entry -> entry.target).distinct())
                            .hasSizeLessThanOrEqualTo(1);
                }
            }
        }

        void end() {
            while (adapter.fakes.stream().anyMatch(fake -> !fake.queue.isEmpty())) {
                answer(false);
            }
        }

        void check() {
            assertThat(adapter.answers).hasSameSizeAs(targets.keySet());
            assertThat(answered("")).doesNotHaveDuplicates();
            assertThat(adapter.carriedOut).doesNotHaveDuplicates().containsAll(answered("SUCCESS"));
            for (int target = 0; target < TARGETS; target++) {
                int its = target;
                assertThat(adapter.carriedOut.stream()
                                .filter(id -> Objects.equals(targets.get(id), its))
                                .toList())
                        .isSorted();
            }
            assertThat(adapter.pool.closeAsync().toCompletableFuture()).isCompleted();
        }

        List<Long> answered(String status) {
            return adapter.answers.stream()
                    .filter(answer -> answer.endsWith(status))
                    .map(answer -> Long.valueOf(answer.substring(0, answer.indexOf(' '))))
                    .toList();
        }
    }

    private static DciPolicy policy(String kind, long seed) {
        DcStreams streams = new DcStreams((int) (seed % 3), 2);
        return switch (kind) {
            case "hashed" -> new DciPolicy.Hashed();
            case "exclusive" -> new DciPolicy.Exclusive();
            case "quota" -> new DciPolicy.Quota(1 + (int) (seed % 4));
            case "hybrid" -> new DciPolicy.Hybrid(1 + (int) (seed % 4), streams);
            case "random" -> new DciPolicy.Random(seed);
            default -> new DciPolicy.Streams(streams);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "quota", "hybrid", "random", "streams"})
    void everyRequestIsAnsweredOnceAndCarriedOutAtMostOnceAndInOrder(String kind) {
        long resent = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Run run = new Run(kind, seed);
            for (int step = 0; step < STEPS; step++) {
                run.step();
            }
            run.end();
            run.check();
            resent += run.adapter.pool.statistics().resent();
        }
        assertThat(resent > 0).isEqualTo(!List.of("exclusive", "quota").contains(kind));
    }
}
