// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.state.PagedKey;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No adapter supports paging for unreliable connections; one that did for sends would wait. */
class UcPagingTest {
    // rule paging-transports
    @Test
    void aSendFromAnAbsentPageFails() {
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5);
        PagedKey.of(rig.a).evict(0);
        rig.a.post(rig.write(1, 8));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.faults).isEmpty();
        assertThat(rig.a.failures).singleElement().asString().contains("not wait for pages");
    }

    // rule paging-transports
    @ParameterizedTest(name = "SEND {0}")
    @ValueSource(booleans = {true, false})
    void aMessageIntoAnAbsentPageIsDropped(boolean send) {
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5);
        PagedKey key = PagedKey.of(rig.b);
        key.evict(0);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        rig.a.post(send ? Send.of(1, rig.a.slice(0, 8)).withSignaled() : rig.write(1, 8));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.discarded).isNotEmpty();
        assertThat(rig.b.touched).isEmpty();
        key.comes(0);
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule paging-unanswered
    @ParameterizedTest(name = "SEND {0}")
    @ValueSource(booleans = {true, false})
    void aPacketWaitsForItsPageIfTheAdapterSupportsIt(boolean send) {
        PagingCapabilities waiting =
                PagingCapabilities.NONE.with(Feature.EXPLICIT).with(Transport.UC, send ? Use.RECEIVE : Use.WRITE);
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5.with(waiting));
        PagedKey key = PagedKey.of(rig.b);
        rig.fill(rig.a, 0, 2 * PagedKey.PAGE, 3);
        key.evict(0, 1);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 2 * PagedKey.PAGE)));
        rig.a.post(
                send ? Send.of(1, rig.a.slice(0, 2 * PagedKey.PAGE)).withSignaled() : rig.write(1, 2 * PagedKey.PAGE));
        rig.run();
        assertThat(rig.b.touched).isEmpty();
        assertThat(rig.b.discarded).isEmpty();
        while (!rig.b.faults.isEmpty()) {
            key.serve(rig.now);
            rig.run();
        }
        assertThat(rig.b.memory.read(0, 2 * PagedKey.PAGE)).isEqualTo(rig.a.memory.read(0, 2 * PagedKey.PAGE));
        assertThat(rig.b.receiveStatuses()).hasSize(send ? 1 : 0);
    }

    // rules paging-unanswered, paging-fails
    @Test
    void aReceiveThatWaitedInVainFails() {
        PagingCapabilities waiting =
                PagingCapabilities.NONE.with(Feature.EXPLICIT).with(Transport.UC, Use.RECEIVE);
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5.with(waiting));
        PagedKey key = PagedKey.of(rig.b);
        key.evict(0);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 8)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        key.refuse(rig.now);
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }

    // rule paging-gather
    @Test
    void aSendWaitsForItsPageIfTheAdapterSupportsIt() {
        Rig rig = UcTest.rig(
                UcTest.TERMS,
                Profile.CONNECTX_5.with(
                        PagingCapabilities.NONE.with(Feature.EXPLICIT).with(Transport.UC, Use.WRITE)));
        PagedKey key = PagedKey.of(rig.a);
        key.evict(0, 1);
        rig.a.post(rig.write(1, 2 * PagedKey.PAGE));
        rig.run();
        assertThat(rig.wire).isEmpty();
        key.serve(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.wire).hasSize(32);
    }

    // rules paging-gather, paging-whole-message
    @Test
    void aMessageStopsAtTheAbsentPageAndFaultsForItsRest() {
        Rig rig = UcTest.rig(
                UcTest.TERMS,
                Profile.CONNECTX_5.with(
                        PagingCapabilities.NONE.with(Feature.EXPLICIT).with(Transport.UC, Use.WRITE)));
        PagedKey key = PagedKey.of(rig.a);
        key.evict(1, 2);
        rig.a.post(rig.write(1, 3 * PagedKey.PAGE));
        rig.run();
        assertThat(rig.wire).hasSize(16);
        assertThat(key.asked()).as("once a turn, and not for each packet").isLessThanOrEqualTo(4);
        assertThat(key.fault().absence().count()).isEqualTo(2 * PagedKey.PAGE);
        key.serve(rig.now);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.wire).hasSize(48);
    }
}
