package org.hcaactors.adapter.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBacklogTest {
    private final EventBacklog<Integer> backlog = new EventBacklog<>(100, false, () -> {});

    @Test
    void anObjectIsSettledWhenWhatWasFetchedOfItIsAcknowledged() {
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

    @Test
    void settlingManyLooksAtEachOnceHoweverManyWait() {
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
