// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.NotSerializableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SweepMessageSerializerTest {
    private final ActorTestKit kit = ActorTestKit.create();
    private final SweepMessageSerializer serializer =
            new SweepMessageSerializer((ExtendedActorSystem) Adapter.toClassic(kit.system()));

    @AfterEach
    void close() {
        kit.shutdownTestKit();
    }

    private Object copy(SweepMessage message) throws NotSerializableException {
        return serializer.fromBinary(serializer.toBinary(message), serializer.manifest(message));
    }

    private SweepMessage.Pull pull(TaskResult... results) {
        return new SweepMessage.Pull(
                kit.createTestProbe(SweepMessage.ToWorker.class).getRef(),
                "b1",
                "worker 1",
                2,
                List.of(results),
                List.of(new Task.Run(4), new Task.Shrink(3)));
    }

    @Test
    void everyMessageIsReadAsItWasWritten() throws NotSerializableException {
        for (SweepMessage message : List.of(
                pull(
                        new TaskResult.Ran(
                                new Sweep.Outcome(-7, 1L << 40, Map.of(FaultKind.DROP, 3L), 5, 4, Optional.empty())),
                        new TaskResult.Ran(new Sweep.Outcome(8, 0, Map.of(), 0, 0, Optional.of("bröken\nline"))),
                        new TaskResult.Shrunk(8, Optional.of(new MinimalRun(8, "class Shrunk8 {}"))),
                        new TaskResult.Shrunk(9, Optional.empty())),
                new SweepMessage.Assignment(
                        Swarm.HOSTILE,
                        Traffic.WALK,
                        Watch.NOBODY,
                        Duration.ofSeconds(60),
                        List.of(new Task.Run(Long.MIN_VALUE), new Task.Shrink(5))),
                new SweepMessage.Refusal("another build"),
                new SweepMessage.Over())) {
            assertThat(copy(message)).isEqualTo(message);
        }
    }

    private String copyOf(String reason) throws NotSerializableException {
        return ((SweepMessage.Refusal) copy(new SweepMessage.Refusal(reason))).reason();
    }

    @Test
    void aTextOfTheMaximumLengthIsNotCut() throws NotSerializableException {
        String longest = "x".repeat(SweepMessageSerializer.MAX_TEXT_BYTES);
        assertThat(copyOf(longest)).isEqualTo(longest);
    }

    @Test
    void aLongerTextIsCutAtACharacterAndSaysSo() throws NotSerializableException {
        for (String before : List.of("", "x", "xx")) {
            String text = before + "\u20ac".repeat(SweepMessageSerializer.MAX_TEXT_BYTES / 3 + 1);
            String read = copyOf(text);
            String kept = read.substring(0, read.indexOf('\n'));
            assertThat(text).startsWith(kept);
            assertThat(kept).hasSizeGreaterThan(SweepMessageSerializer.MAX_TEXT_BYTES / 3 - 100);
            int missing = 3 * (text.length() - kept.length());
            assertThat(read).endsWith("\n[" + missing + " bytes more were cut off on the way from the node]");
        }
    }

    @Test
    void malformedBytesAreRefused() {
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {-1, -1, -1, -1}, "r"))
                .isInstanceOf(NotSerializableException.class)
                .hasMessageContaining("-1 bytes of text");
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {}, "x"))
                .isInstanceOf(NotSerializableException.class);
    }
}
