// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaWrite;
import org.junit.jupiter.api.Test;

/** Key-changing requests on streams of an initiator on which other requests fail. */
class DcLocalWorkTest {
    private static final int WRITES = 0;
    private static final int CHANGES = 1;

    /** Time in nanoseconds that suffices for all retries of one request, and not of two. */
    private static final long LONG = 9 * DcRig.TIMEOUT / 2;

    private final DcRig desk = new DcRig();
    private final DcRig.TargetSide target = desk.target();

    /** All streams share its channel. */
    private final Side initiator = desk.initiator(
            DcRig.TERMS,
            QpDescription.dc().withSignalAll().withStreams(new DcStreams(0, 3)).options());

    private void write(int stream, long id) {
        desk.post(
                initiator, target, DcRig.KEY, stream, RdmaWrite.of(id, initiator.slice(0, 8), target.host.remote(64)));
    }

    private void change(int stream, long id) {
        desk.post(initiator, target, DcRig.KEY, stream, LocalInvalidate.of(id, 0x77));
    }

    /** Answers the first requested change. */
    private void answer(Optional<Denial> refusal) {
        initiator.machine.keyChanged(initiator.changes.getFirst(), refusal, initiator.at(desk.now));
        desk.run();
    }

    private List<String> ends() {
        return initiator.sends.stream().map(DcLocalWorkTest::end).toList();
    }

    private static String end(WorkCompletion completion) {
        return completion.workId() + " " + completion.status();
    }

    // rules dc-stream-error, memory-key-work
    @Test
    void aChangeThatIsMadeIsNotMadeAgainWhereAnotherStreamFails() {
        desk.loseAll();
        write(WRITES, 1);
        change(CHANGES, 2);
        write(WRITES, 3);
        write(CHANGES, 4);
        desk.run();
        answer(Optional.empty());
        assertThat(ends()).as("in its place").isEmpty();
        desk.runUntil(LONG);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(initiator.changes).hasSize(1);
        assertThat(ends()).containsExactly("1 RETRY_EXC_ERR", "2 SUCCESS", "3 WR_FLUSH_ERR", "4 SUCCESS");
    }

    // rules dc-stream-error, memory-key-work
    @Test
    void aPendingChangeIsNotRepeatedWhenAnotherStreamFails() {
        desk.loseAll();
        write(WRITES, 1);
        change(CHANGES, 2);
        write(CHANGES, 3);
        desk.runUntil(LONG);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(ends()).containsExactly("1 RETRY_EXC_ERR");
        answer(Optional.empty());
        desk.runToQuiet();
        assertThat(initiator.changes).hasSize(1);
        assertThat(ends()).containsExactly("1 RETRY_EXC_ERR", "2 SUCCESS", "3 SUCCESS");
    }

    // rules dc-stream-error, memory-key-work
    @Test
    void aRefusedChangeIsNotRequestedAgain() {
        desk.loseAll();
        write(WRITES, 1);
        change(CHANGES, 2);
        desk.run();
        answer(Optional.of(new Denial.Unregistered()));
        desk.runUntil(LONG);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(initiator.changes).hasSize(1);
        assertThat(ends()).containsExactly("1 RETRY_EXC_ERR", "2 LOC_QP_OP_ERR");
    }

    // rules dc-stream-error, memory-key-work
    @Test
    void aPendingChangeIsNotRepeatedByAPostToAFailedStream() {
        desk.post(
                initiator,
                target,
                DcRig.KEY + 1,
                WRITES,
                RdmaWrite.of(1, initiator.slice(0, 8), target.host.remote(64)));
        desk.run();
        change(CHANGES, 2);
        desk.run();
        write(WRITES, 3);
        desk.run();
        answer(Optional.empty());
        assertThat(initiator.changes).hasSize(1);
        assertThat(ends()).containsExactlyInAnyOrder("1 REM_ACCESS_ERR", "3 WR_FLUSH_ERR", "2 SUCCESS");
    }

    // rules dc-stream-error, memory-key-work
    @Test
    void aChangeOfTheStreamThatFailsIsFlushedThoughItIsMade() {
        desk.loseAll();
        write(WRITES, 1);
        change(WRITES, 2);
        desk.run();
        answer(Optional.empty());
        desk.runUntil(LONG);
        assertThat(initiator.changes).hasSize(1);
        assertThat(ends()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    }
}
