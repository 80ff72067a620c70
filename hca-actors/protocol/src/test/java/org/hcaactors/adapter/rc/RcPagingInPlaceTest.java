// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.state.PagedKey;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

// rule paging-synchronous
/** Absent pages with a software adapter: packets that need them wait in place. */
class RcPagingInPlaceTest {
    /** All retry counts are 0. */
    private final Rig rig = new Rig(Rig.TERMS.withRetryCount(0).withRnrRetry(0), Profile.SOFT_ROCE, false);

    private final PagedKey here = PagedKey.of(rig.a);
    private final PagedKey there = PagedKey.of(rig.b);

    private enum Request {
        SEND,
        WRITE,
        READ,
        ATOMIC;

        WorkRequest of(Rig rig) {
            return switch (this) {
                case SEND -> Send.of(1, rig.a.slice(0, 8)).withSignaled();
                case WRITE -> rig.write(1, 8);
                case READ -> RdmaRead.of(1, rig.a.slice(0, 8), rig.b.remote(0)).withSignaled();
                case ATOMIC ->
                    FetchAdd.of(1, rig.a.slice(0, 8), rig.b.remote(0), 5).withSignaled();
            };
        }
    }

    private long packets(Side to) {
        return rig.wire.stream()
                .filter(packet -> packet.bth().destQp() == to.number)
                .count();
    }

    private boolean anyNak() {
        return rig.wire.stream()
                .filter(packet -> packet.operation() == Operation.ACKNOWLEDGE)
                .anyMatch(packet -> !Syndrome.isAck(packet.aeth().syndrome()));
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWaitsForItsPageAtTheResponderWithoutANak(Request request) {
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        there.evict(0);
        rig.a.post(request.of(rig));
        rig.a.post(rig.write(2, PagedKey.PAGE, 8));
        rig.run();
        assertThat(packets(rig.a)).as("answers").isZero();
        there.serve(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(packets(rig.b)).isEqualTo(2);
        assertThat(anyNak()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "ATOMIC"})
    void aResponseWaitsForItsPageAndIsNotRequestedAgain(Request request) {
        here.evict(0);
        rig.a.post(request.of(rig));
        rig.run();
        assertThat(rig.a.sendStatuses()).isEmpty();
        assertThat(rig.a.machine.nextDeadline()).as("no time runs out").isEqualTo(Long.MAX_VALUE);
        here.serve(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(packets(rig.b)).as("requests").isEqualTo(1);
        assertThat(rig.b.counted(Counter.DUPLICATE_REQUEST)).isZero();
    }

    @Test
    void responsesBehindOneThatWaitsStayInTheirOrder() {
        rig.fill(rig.b, 0, 3 * PagedKey.PAGE, 3);
        here.evict(0, 1, 2);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, 3 * PagedKey.PAGE), rig.b.remote(0))
                .withSignaled());
        rig.run();
        while (!rig.a.faults.isEmpty()) {
            here.serve(rig.now);
            rig.run();
        }
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.memory.read(0, 3 * PagedKey.PAGE)).isEqualTo(rig.b.memory.read(0, 3 * PagedKey.PAGE));
        assertThat(rig.wire.stream().map(Packet::psn)).as("one request").hasSize(13);
    }

    // rule paging-stream
    @Test
    void aReadResponseStopsAtAnAbsentPage() {
        there.evict(1);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, 2 * PagedKey.PAGE), rig.b.remote(0))
                .withSignaled());
        rig.run();
        assertThat(packets(rig.a)).isEqualTo(4);
        there.serve(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule paging-fails
    @ParameterizedTest
    @EnumSource
    void aRequestWithoutMemoryIsRefusedWhenTheFaultFails(Request request) {
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        there.evict(0);
        rig.a.post(request.of(rig));
        rig.run();
        there.refuse(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses())
                .containsExactly(request == Request.SEND ? Status.REM_OP_ERR : Status.REM_ACCESS_ERR);
    }

    // rule paging-fails
    @Test
    void aResponseWithoutMemoryFailsItsRequest() {
        here.evict(0);
        rig.a.post(Request.READ.of(rig));
        rig.run();
        here.refuse(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }
}
