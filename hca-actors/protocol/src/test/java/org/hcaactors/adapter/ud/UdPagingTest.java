// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.adapter.ud.UdTest.QKEY;
import static org.hcaactors.adapter.ud.UdTest.rig;
import static org.hcaactors.adapter.ud.UdTest.to;

import org.hcaactors.adapter.state.PagedKey;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;

/** Datagrams and absent pages: sends wait for pages, received datagrams only if the adapter supports it. */
class UdPagingTest {
    private final Rig rig = rig();

    // rules paging-gather, paging-transports
    @Test
    void aDatagramWaitsForItsPageAndThoseBehindItWaitToo() {
        PagedKey key = PagedKey.of(rig.a);
        key.evict(0);
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled(), to(rig));
        rig.a.post(Send.of(2, rig.a.slice(PagedKey.PAGE, 8)).withSignaled(), to(rig));
        rig.run();
        assertThat(rig.wire).isEmpty();
        key.serve(rig.now);
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS);
    }

    // rule paging-fails
    @Test
    void aDatagramWithoutMemoryFails() {
        PagedKey key = PagedKey.of(rig.a);
        key.evict(0);
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled(), to(rig));
        rig.run();
        key.refuse(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
    }

    // rule paging-transports
    @Test
    void aDatagramWhoseReceiveHasNoPageIsDroppedAndTheReceiveStays() {
        PagedKey key = PagedKey.of(rig.b);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        key.evict(0);
        arrive();
        assertThat(rig.b.discarded).singleElement().asString().contains("not wait for pages");
        assertThat(rig.b.faults).isEmpty();
        assertThat(rig.b.receives).isEmpty();
        key.comes(0);
        arrive();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rules paging-unanswered, paging-synchronous
    @Test
    void aDatagramWaitsForItsReceivesPageIfTheAdapterSupportsIt() {
        PagingCapabilities waiting = Profile.CONNECTX_5.paging().with(Transport.UD, Use.SEND, Use.RECEIVE);
        Rig patient = rig(Profile.CONNECTX_5.with(waiting), false);
        PagedKey key = PagedKey.of(patient.b);
        patient.b.postReceive(Receive.of(9, patient.b.slice(0, 64)));
        patient.b.postReceive(Receive.of(10, patient.b.slice(PagedKey.PAGE, 64)));
        key.evict(0);
        arrive(patient);
        arrive(patient);
        assertThat(patient.b.receives).as("the one behind it waits, too").isEmpty();
        assertThat(patient.b.discarded).isEmpty();
        key.serve(patient.now);
        patient.run();
        assertThat(patient.b.receives).extracting(WorkCompletion::workId).containsExactly(9L, 10L);
        assertThat(patient.b.receiveStatuses()).containsOnly(Status.SUCCESS);
    }

    // rules paging-unanswered, paging-fails
    @Test
    void aDatagramWhosePageFaultFailsFailsItsReceive() {
        Rig patient = rig(Profile.SOFT_ROCE, false);
        PagedKey key = PagedKey.of(patient.b);
        patient.b.postReceive(Receive.of(9, patient.b.slice(0, 64)));
        key.evict(0);
        arrive(patient);
        key.refuse(patient.now);
        patient.run();
        assertThat(patient.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }

    private void arrive() {
        arrive(rig);
    }

    private static void arrive(Rig rig) {
        rig.inject(rig.b, Opcode.UD_SEND_ONLY, 7, 8, new ExtendedHeader.Deth(QKEY, 0, rig.a.number));
        rig.run();
    }
}
