// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SequentialCloseTest {
    @Test
    void aFailedCloseDoesNotSkipTheRest() {
        List<Integer> ended = new ArrayList<>();
        CompletionStage<Void> end = SequentialClose.each(List.of(1, 2, 3, 4), one -> {
            ended.add(one);
            return one % 2 == 0
                    ? CompletableFuture.failedStage(new IllegalStateException("no " + one))
                    : CompletableFuture.completedStage(null);
        });
        assertThat(ended).containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> end.toCompletableFuture().getNow(null))
                .hasRootCauseExactlyInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no 2");
    }

    @Test
    void everyObjectIsClosedAfterTheOneBefore() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        List<Integer> begun = new ArrayList<>();
        CompletionStage<Void> end = SequentialClose.each(List.of(1, 2), one -> {
            begun.add(one);
            return one == 1 ? first : CompletableFuture.completedStage(null);
        });
        assertThat(begun).containsExactly(1);
        first.complete(null);
        assertThat(begun).containsExactly(1, 2);
        assertThat(end.toCompletableFuture()).isCompleted();
    }
}
