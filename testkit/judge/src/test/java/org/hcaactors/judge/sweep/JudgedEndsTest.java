// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Tests which request results a sweep accepts. */
class JudgedEndsTest {
    private static final QueuePairLife.End ENOMEM = new QueuePairLife.End(Optional.empty(), Optional.of(Errno.ENOMEM));

    private static CompletableFuture<WorkCompletion> underWay() {
        return new CompletableFuture<>();
    }

    @Test
    void aForgedPacketDoesNotExcuseAFailedVerb() {
        try (World world = World.of(1)) {
            PendingStages promises = new PendingStages(world);
            promises.verb("query", CompletableFuture.failedFuture(new VerbsException(Errno.EIO, "its actor crashed")));
            assertThatThrownBy(() -> promises.judge(FaultSeverity.HOSTILE, true))
                    .hasMessageContaining("query was refused");
            assertThatCode(() -> promises.judge(FaultSeverity.DISASTER, true)).doesNotThrowAnyException();
        }
    }

    @Test
    void aForgedPacketDoesNotExcuseARequestRefusedByACrash() {
        QueuePairLife life = new QueuePairLife("a life");
        life.add("a request", underWay(), () -> {});
        List<QueuePairLife.End> crashed = List.of(new QueuePairLife.End(Optional.empty(), Optional.of(Errno.EIO)));
        assertThatThrownBy(() -> life.judge(crashed, FaultSeverity.HOSTILE)).hasMessageContaining("ended with EIO");
        List<QueuePairLife.End> broken =
                List.of(new QueuePairLife.End(Optional.of(Status.REM_OP_ERR), Optional.empty()));
        assertThatCode(() -> life.judge(broken, FaultSeverity.HOSTILE)).doesNotThrowAnyException();
    }

    @Test
    void enomemIsAcceptedOnlyIfTheQueueIsFull() {
        QueuePairLife life = new QueuePairLife("a life");
        life.add("a request", underWay(), () -> {});
        assertThatThrownBy(() -> life.judge(List.of(ENOMEM), FaultSeverity.CALM))
                .hasMessageContaining("ended with ENOMEM");

        QueuePairLife full = new QueuePairLife("a full life");
        int places = QpCapacity.DEFAULT.maxSendWr();
        for (int i = 0; i <= places; i++) {
            full.add("request " + i, underWay(), () -> {});
        }
        QueuePairLife.End success = new QueuePairLife.End(Optional.of(Status.SUCCESS), Optional.empty());
        List<QueuePairLife.End> ends = new ArrayList<>(Collections.nCopies(places, success));
        ends.add(ENOMEM);
        assertThatCode(() -> full.judge(ends, FaultSeverity.CALM)).doesNotThrowAnyException();
    }
}
