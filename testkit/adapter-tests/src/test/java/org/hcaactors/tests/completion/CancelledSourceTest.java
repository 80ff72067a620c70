// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pekko.stream.javadsl.Sink;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Sources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CancelledSourceTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aSourceCancelledBeforeItsSubscriptionReleasesTheQueue(long seed) {
        try (World world = World.of(seed)) {
            CompletionQueue cq =
                    world.await(world.adapter("a").process("app").open().createCq(15));
            Sources.completions(cq).runWith(Sink.cancelled(), world.system());
            world.settle();
            assertThat(world.await(cq.poll(1))).isEmpty();
        }
    }
}
