// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that do what was recorded, against the recorded other end; bytes are compared in both directions. */
class RecordedProgramsTest {
    private static final Duration TO_COMPLETE = Duration.ofMillis(1);

    /** Returns the statuses of the requests that are done. */
    private static List<Status> play(String capture, String peer) {
        RecordedCable cable = RecordedWorld.capture(capture + ".pcap", peer).comparingPayloads();
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            List<RecordedProgram> programs = cable.queuePairs().stream()
                    .filter(ends -> ends.transport() == TransportClass.RC)
                    .map(ends -> new RecordedProgram(side, cable.recording(), ends))
                    .toList();
            side.peer.start();
            programs.forEach(RecordedProgram::post);
            assertThat(side.complete().counts().entered()).isEqualTo(side.packetsOfPeer(cable));
            side.world.runFor(TO_COMPLETE);
            programs.forEach(RecordedProgram::checkWritten);
            return programs.stream().flatMap(each -> each.done().stream()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "op_send_sizes",
                "op_write_sizes",
                "op_read_sizes",
                "op_atomics",
                "op_write_imm",
                "op_rnr_then_ok",
                "srq_pingpong",
                "loss_write_drop13"
            })
    void aRecordedServerAnswersItsClient(String capture) {
        assertThat(play(capture, RecordedWorld.SERVER)).isNotEmpty().containsOnly(Status.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "op_send_sizes",
                "op_write_sizes",
                "op_read_sizes",
                "op_atomics",
                "op_write_imm",
                "op_rnr_then_ok",
                "srq_pingpong",
                "netem_loss_read"
            })
    void aRecordedClientUsesItsServer(String capture) {
        assertThat(play(capture, RecordedWorld.CLIENT)).allMatch(Status.SUCCESS::equals);
    }

    @Test
    void aRecordedServerRefusesAKey() {
        assertThat(play("op_bad_rkey", RecordedWorld.SERVER)).containsExactly(Status.REM_ACCESS_ERR);
    }

    @Tag("judge")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "atomic_cswap",
                "atomic_fadd",
                "loss_ack_drop13",
                "loss_read_drop13",
                "loss_write_drop13",
                "netem_dup_read",
                "netem_dup_write",
                "netem_loss_read",
                "netem_loss_write",
                "op_inline",
                "op_multi_sge",
                "op_mw1_write",
                "op_send_imm_solicited",
                "op_srq",
                "rc_pingpong",
                "rc_pingpong_event",
                "rc_pingpong_mtu256",
                "read_bw",
                "read_lat",
                "send_bw",
                "send_lat",
                "write_bw",
                "write_lat"
            })
    void everyRecordedEndPlays(String capture) {
        assertThat(play(capture, RecordedWorld.SERVER)).isNotEmpty().containsOnly(Status.SUCCESS);
        assertThat(play(capture, RecordedWorld.CLIENT)).allMatch(Status.SUCCESS::equals);
    }

    @Tag("judge")
    @ParameterizedTest
    @ValueSource(strings = {"op_mw2_send_inv", "op_read_bad_rkey", "op_write_no_permission", "op_send_too_long"})
    void everyRecordedRefusalPlays(String capture) {
        assertThat(play(capture, RecordedWorld.SERVER)).endsWith(last(capture));
    }

    private static Status last(String capture) {
        return capture.equals("op_send_too_long") ? Status.REM_OP_ERR : Status.REM_ACCESS_ERR;
    }

    @Tag("judge")
    @ParameterizedTest
    @ValueSource(strings = {"op_rnr_exhausted", "op_timeout_exhausted"})
    void aRecordedServerThatRefusesForEverLeavesRequestsOpen(String capture) {
        assertThat(play(capture, RecordedWorld.SERVER)).isEmpty();
    }

    @Tag("judge")
    @Test
    void damagedPacketsOfARecordedClientAreDropped() {
        assertThat(play("netem_corrupt_send", RecordedWorld.CLIENT)).isEmpty();
    }
}
