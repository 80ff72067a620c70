// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.fault.FaultKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Losses between this side and a recorded peer. */
class FaultsTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final double OFTEN = 0.05;

    private record Run(List<String> packets, long lost, int repeated) {}

    private static Run run(String capture, String peer, long seed, double probability) {
        RecordedCable cable = RecordedWorld.capture(capture + ".pcap", peer).comparingPayloads();
        try (RecordedWorld side = RecordedWorld.of(seed, cable)) {
            side.world.faults().on(packet()).withProbability(probability).drop();
            List<RecordedProgram> programs = cable.queuePairs().stream()
                    .filter(ends -> ends.transport() == TransportClass.RC)
                    .map(ends -> new RecordedProgram(side, cable.recording(), ends))
                    .toList();
            side.peer.start();
            programs.forEach(RecordedProgram::post);
            side.world.await(side.peer.end(), LONG);
            int repeated = side.complete().counts().repeated();
            side.world.heal(LONG);
            programs.forEach(RecordedProgram::checkWritten);
            assertThat(programs.stream().flatMap(each -> each.done().stream())).allMatch(Status.SUCCESS::equals);
            return new Run(side.packets(), side.world.faults().struck().getOrDefault(FaultKind.DROP, 0L), repeated);
        }
    }

    // rule wire-recorded-repeats
    @ParameterizedTest
    @CsvSource({
        "send_bw, 10.77.0.2, 1", "send_bw, 10.77.0.3, 1",
        "write_bw, 10.77.0.2, 2", "write_bw, 10.77.0.3, 2",
        "read_bw, 10.77.0.2, 3", "read_bw, 10.77.0.3, 3",
        "op_atomics, 10.77.0.2, 4", "rc_pingpong, 10.77.0.2, 5"
    })
    void whatIsLostIsRepeated(String capture, String peer, long seed) {
        Run first = run(capture, peer, seed, OFTEN);
        Run second = run(capture, peer, seed, OFTEN);
        assertThat(second).isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource({"send_bw, 10.77.0.2", "write_bw, 10.77.0.3", "rc_pingpong, 10.77.0.3"})
    void oneInAHundredIsLost(String capture, String peer) {
        long lost = 0;
        for (long seed = 1; seed <= 4; seed++) {
            lost += run(capture, peer, seed, 0.01).lost;
        }
        assertThat(lost).isPositive();
    }
}
