// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventBacklogTest {
    private final EventBacklog<Integer> backlog = new EventBacklog<>(100, false, () -> {});

    // rule event-settled
    @Test
    void anObjectIsSettledWhenItsFetchedEventsAreAcknowledged() {
        List<String> settled = new ArrayList<>();
        backlog.add(1);
        backlog.add(1);
        backlog.add(2);
        backlog.fetch();
        backlog.settle(event -> event == 1, () -> settled.add("one"));
        backlog.settle(event -> event == 2, () -> settled.add("two"));
        assertThat(settled).as("nothing of it was fetched").containsExactly("two");
        assertThat(backlog.size()).as("what waited is discarded").isZero();
        backlog.acknowledge(1);
        assertThat(settled).containsExactly("two", "one");
    }

    private static EventBacklog<Integer> ofTwo(boolean merges, List<String> said) {
        return new EventBacklog<>(2, merges, () -> said.add("lost"));
    }

    private static List<Integer> fetchAll(EventBacklog<Integer> backlog) {
        return Stream.generate(backlog::fetch).limit(backlog.size()).toList();
    }

    // rule event-backlog
    @Test
    void beyondTheLimitTheOldestEventIsDroppedAndReported() {
        List<String> said = new ArrayList<>();
        EventBacklog<Integer> backlog = ofTwo(false, said);
        backlog.add(1);
        backlog.add(2);
        assertThat(said).isEmpty();
        assertThat(backlog.size()).isEqualTo(2);
        backlog.add(2);
        assertThat(said).containsExactly("lost");
        assertThat(fetchAll(backlog)).containsExactly(2, 2);
    }

    // rule event-backlog
    @Test
    void mergingSkipsPendingEventsBeyondTheLimit() {
        List<String> said = new ArrayList<>();
        EventBacklog<Integer> backlog = ofTwo(true, said);
        backlog.add(1);
        backlog.add(2);
        backlog.add(1);
        assertThat(said).isEmpty();
        backlog.add(3);
        assertThat(said).containsExactly("lost");
        assertThat(fetchAll(backlog)).containsExactly(2, 3);
        backlog.add(4);
        backlog.add(4);
        assertThat(fetchAll(backlog)).as("below it, each is").containsExactly(4, 4);
    }

    @Test
    void undeliveredEventsAreQueuedAgainInOrder() {
        for (int event = 1; event <= 4; event++) {
            backlog.add(event);
        }
        assertThat(fetchAll(backlog)).containsExactly(1, 2, 3, 4);
        backlog.putBack(2);
        assertThat(backlog.size()).isEqualTo(2);
        backlog.putBackAll();
        assertThat(fetchAll(backlog)).containsExactly(1, 2, 3, 4);
    }

    @Test
    void anObjectIsSettledWhenItsFetchedEventsArePutBack() {
        List<String> settled = new ArrayList<>();
        backlog.add(1);
        backlog.add(2);
        backlog.add(1);
        fetchAll(backlog);
        backlog.settle(event -> event == 1, () -> settled.add("one"));
        backlog.putBack(2);
        assertThat(settled).as("the first is still to be acknowledged").isEmpty();
        backlog.putBack(1);
        assertThat(settled).containsExactly("one");
        assertThat(fetchAll(backlog))
                .as("events of a destroyed object are not delivered")
                .containsExactly(2);
    }

    @Test
    void settleAllSettlesEachObjectOnceWithoutAcknowledgements() {
        List<String> settled = new ArrayList<>();
        backlog.add(1);
        backlog.fetch();
        backlog.settle(event -> true, () -> settled.add("one"));
        backlog.settle(event -> true, () -> settled.add("two"));
        assertThat(settled).isEmpty();
        backlog.settleAll();
        backlog.settleAll();
        backlog.acknowledge(1);
        assertThat(settled).containsExactly("one", "two");
    }

    @Test
    void settlingManyObjectsExaminesEveryEventOnce() {
        int[] looks = {0};
        backlog.add(0);
        backlog.fetch();
        for (int i = 0; i < 1000; i++) {
            backlog.settle(
                    event -> {
                        looks[0]++;
                        return event == 0;
                    },
                    () -> {});
        }
        assertThat(looks[0]).isEqualTo(1000);
    }
}
