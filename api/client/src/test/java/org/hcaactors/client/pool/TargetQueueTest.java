// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.DcStreams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues of many waiting targets. */
class TargetQueueTest {
    private static final int TARGETS = 500;
    private static final int EACH = 3;

    /** Counts the calls. */
    private static final class Counting implements LaneSelector {
        final LaneSelector asked;
        int times;

        Counting(LaneSelector asked) {
            this.asked = asked;
        }

        @Override
        public Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes) {
            times++;
            return asked.choose(to, lanes);
        }

        @Override
        public boolean isSticky() {
            return asked.isSticky();
        }

        @Override
        public boolean keepsLane(PoolLane lane, int sent, BooleanSupplier othersWait) {
            times++;
            return asked.keepsLane(lane, sent, othersWait);
        }
    }

    static Stream<DciPolicy> policies() {
        DcStreams streams = new DcStreams(1, 0);
        return Stream.of(
                new DciPolicy.Hashed(),
                new DciPolicy.Exclusive(),
                new DciPolicy.Quota(2),
                new DciPolicy.Hybrid(2, streams),
                new DciPolicy.Random(7),
                new DciPolicy.Streams(streams));
    }

    private static List<PoolLane.PoolInitiator> members(DciPolicy policy) {
        boolean all = policy instanceof DciPolicy.Streams;
        boolean last = all || policy instanceof DciPolicy.Hybrid;
        return List.of(new PoolLane.PoolInitiator(0, 4, all ? 2 : 0), new PoolLane.PoolInitiator(1, 4, last ? 2 : 0));
    }

    private static PoolAnswer acknowledged(PoolRequest request) {
        return new PoolAnswer.Completed(
                request,
                WorkCompletion.of(request.work.id(), Status.SUCCESS, CompletionKind.SEND, 7, 0, OptionalInt.empty()));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void blockedLanesAreNotExaminedWhenARequestCompletes(DciPolicy policy) {
        Counting chooser = new Counting(LaneSelector.of(policy));
        PoolMachine machine = new PoolMachine(members(policy), chooser, TARGETS * EACH);
        FakeAdapter addresses = new FakeAdapter(2, 1, policy, 0);
        Deque<PoolRequest> posted = new ArrayDeque<>();
        for (int number = 0; number < TARGETS * EACH; number++) {
            PoolRequest request = new PoolRequest(addresses.address(number % TARGETS), addresses.work(number));
            posted.addAll(machine.submit(request).posts);
        }
        chooser.times = 0;
        int acknowledged = 0;
        while (!posted.isEmpty()) {
            posted.addAll(machine.completed(acknowledged(posted.remove())).posts);
            acknowledged++;
        }
        assertThat(acknowledged).isEqualTo(TARGETS * EACH);
        assertThat(machine.isQuiet()).isTrue();
        assertThat(chooser.times).isLessThan(4 * acknowledged);
    }
}
