// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.error.Errno;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.TraceRecorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusedCallsTest {
    private static final long COOKIE = 70;

    private final TraceRecorder trace = new TraceRecorder();
    private final ServedProgram program =
            new ServedProgram(RefusalPlan.parse("ibv_alloc_pd:2:ENOMEM", Functions.refusable()), trace);
    private final Words records = new Words();

    @AfterEach
    void close() {
        program.close();
    }

    private List<TestkitEvent> recorded() {
        return trace.of(TestkitEvent.class).toList();
    }

    private void setSend(int opcode) {
        records.setInt(Calls.Send.SIZE, Calls.Send.BYTES)
                .setInt(Calls.Send.ELEMENTS, 0)
                .setInt(Calls.Send.OPCODE, opcode);
    }

    @Test
    void aPlannedRefusalIsInTheRun() {
        long context = program.open();
        program.errno(Calls.AllocPd.CALL, context);
        program.errno(Calls.AllocPd.CALL, context);

        assertThat(recorded()).singleElement().satisfies(event -> {
            assertThat(event.isOfVerb()).isTrue();
            assertThat(event.port()).isEqualTo("hca");
            assertThat(event.what())
                    .isEqualTo("ibv_alloc_pd fails with ENOMEM: refused on purpose: ibv_alloc_pd:2:ENOMEM");
        });
        assertThat(program.refused().lines()).isEmpty();
    }

    @Test
    void aPostInTheWrongStateIsInTheRunWithItsReason() {
        long context = program.open();
        long queue = program.createQueue(context, COOKIE, new Words());
        long domain = program.call(Calls.AllocPd.CALL, Calls.AllocPd.PD, context);
        long pair = program.createPair(domain, queue, COOKIE);
        setSend(Calls.WrOpcode.SEND);

        assertThat(program.upcalls().postSend(pair, records.address(), 1, 0)).isEqualTo(Errno.EINVAL.number());
        assertThat(recorded()).singleElement().satisfies(event -> {
            assertThat(event.isOfVerb()).isFalse();
            assertThat(event.isRefusal()).isTrue();
            assertThat(event.what())
                    .startsWith("ibv_post_send fails with EINVAL: ")
                    .contains("INIT");
        });
        assertThat(program.refused().lines())
                .singleElement()
                .asString()
                .startsWith("refused ibv_post_send EINVAL: 1 call: ");
    }

    @Test
    void aCallThatIsRefusedAgainAndAgainDoesNotFillTheRun() {
        for (int call = 0; call < 3 * RefusedCalls.MAX_EVENTS; call++) {
            program.upcalls().poll(5, 1, records.address());
        }

        assertThat(recorded()).hasSize(RefusedCalls.MAX_EVENTS);
        assertThat(program.refused().lines())
                .singleElement()
                .asString()
                .startsWith("refused ibv_poll_cq EINVAL: 60 calls, the first: ");
    }
}
