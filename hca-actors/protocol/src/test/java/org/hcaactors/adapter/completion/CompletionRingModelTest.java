// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;

/** The ring compared with two plain lists: entries in the ring, and entries on their way to the subscriber. */
class CompletionRingModelTest {
    private static final class Source {
        int freed;
        final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> freed += slots);
        int expected;
        boolean gone;
    }

    private record Entry(Cqe cqe, Source source) {}

    private static final class Both {
        final SplittableRandom random;
        final List<Source> sources = new ArrayList<>();
        final List<Entry> standing = new ArrayList<>();
        final Deque<Entry> underway = new ArrayDeque<>();
        final Deque<Runnable> handOuts = new ArrayDeque<>();
        int capacity;
        final CompletionRing ring;
        long next;

        Both(long seed) {
            random = new SplittableRandom(seed);
            capacity = 1 + random.nextInt(40);
            ring = new CompletionRing(capacity);
            for (int i = 0; i < 3; i++) {
                sources.add(new Source());
            }
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> push();
                case 5, 6 -> poll(random.nextInt(5));
                case 7, 8 -> grant(random.nextInt(6));
                case 9 -> handOut(random.nextInt(underway.size() + 1));
                case 10 -> rarely();
                default -> resize(random.nextInt(40));
            }
            assertThat(ring.size()).isEqualTo(standing.size());
            assertThat(ring.underway()).isEqualTo(underway.size());
            assertThat(ring.capacity()).isEqualTo(capacity);
            assertThat(ring.room()).isEqualTo(capacity - standing.size() - underway.size());
            assertThat(ring.solicited())
                    .isEqualTo(standing.stream().filter(e -> e.cqe.solicited()).count());
            assertThat(ring.length()).isGreaterThanOrEqualTo(standing.size());
            assertThat(sources).allMatch(source -> source.freed == source.expected);
        }

        private void push() {
            Source source = sources.get(random.nextInt(sources.size()));
            WorkCompletion completion =
                    WorkCompletion.of(next++, Status.SUCCESS, CompletionKind.SEND, 1, 0, OptionalInt.empty());
            Cqe cqe = new Cqe(completion, source.workQueue, 1 + random.nextInt(3), random.nextBoolean());
            boolean fits = standing.size() + underway.size() < capacity;
            assertThat(ring.push(cqe)).isEqualTo(fits);
            if (fits) {
                standing.add(new Entry(cqe, source));
            }
        }

        private List<Entry> first(int max) {
            List<Entry> part = standing.subList(0, Math.min(max, standing.size()));
            List<Entry> taken = List.copyOf(part);
            part.clear();
            return taken;
        }

        private void poll(int max) {
            List<Entry> expected = first(max);
            Cqe[] polled = ring.poll(max);
            assertThat(polled)
                    .containsExactlyElementsOf(expected.stream().map(e -> e.cqe).toList());
            Cqe.free(polled, polled.length);
            expected.forEach(e -> e.source.expected += e.cqe.slots());
        }

        private void grant(int max) {
            List<Entry> expected = first(max);
            CompletionGrant grant = ring.grant(max);
            assertThat(grant.size()).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                int at = i;
                Entry entry = expected.get(i);
                assertThat(grant.at(i)).isSameAs(entry.cqe);
                underway.add(entry);
                handOuts.add(() -> assertThat(grant.take(at)).isEqualTo(entry.source.gone ? null : entry.cqe.entry()));
            }
        }

        private void handOut(int count) {
            for (int i = 0; i < count; i++) {
                Entry entry = underway.remove();
                handOuts.remove().run();
                entry.source.expected += entry.cqe.slots();
            }
            ring.delivered(count);
        }

        private void rarely() {
            if (random.nextBoolean()) {
                giveBack();
            } else {
                purge(random.nextInt(sources.size()));
            }
        }

        private void giveBack() {
            List<Entry> back = underway.stream().filter(e -> !e.source.gone).toList();
            underway.stream().filter(e -> e.source.gone).forEach(e -> e.source.expected += e.cqe.slots());
            underway.clear();
            handOuts.clear();
            assertThat(ring.returnUndelivered()).isEqualTo(back.size());
            standing.addAll(0, back);
        }

        private void purge(int which) {
            Source source = sources.set(which, new Source());
            List<Entry> its = standing.stream().filter(e -> e.source == source).toList();
            standing.removeAll(its);
            its.forEach(e -> source.expected += e.cqe.slots());
            source.gone = true;
            source.workQueue.withdraw();
            assertThat(ring.purge(source.workQueue)).isEqualTo(its.size());
            assertThat(source.freed).isEqualTo(source.expected);
        }

        private void resize(int entries) {
            boolean fits = standing.size() + underway.size() <= entries;
            assertThat(ring.resize(entries)).isEqualTo(fits);
            capacity = fits ? entries : capacity;
        }
    }

    @Test
    void aRingBehavesLikeAListOfPresentAndOneOfGrantedEntries() {
        for (long seed = 0; seed < 60; seed++) {
            Both both = new Both(seed);
            for (int step = 0; step < 300; step++) {
                both.step();
            }
        }
    }

    // rule completion-resize
    @Test
    void grantedEntriesCountWhenARingIsShrunk() {
        CompletionRing ring = new CompletionRing(4);
        Source source = new Source();
        for (long id = 0; id < 3; id++) {
            ring.push(new Cqe(
                    WorkCompletion.of(id, Status.SUCCESS, CompletionKind.SEND, 1, 0, OptionalInt.empty()),
                    source.workQueue,
                    1,
                    false));
        }
        ring.grant(2);
        assertThat(ring.resize(2)).isFalse();
        assertThat(ring.capacity()).isEqualTo(4);
        assertThat(ring.resize(3)).isTrue();
        assertThat(ring.room()).isZero();
        assertThat(Arrays.asList(ring.poll(1))).hasSize(1);
    }
}
