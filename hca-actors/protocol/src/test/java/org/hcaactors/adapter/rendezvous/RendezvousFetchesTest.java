// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.dc.DcFetcherKind;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.ReturnAddress;
import org.hcaactors.adapter.tag.TagEntry;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PageWaits;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** Fetches by the adapter, and their sources. */
class RendezvousFetchesTest {
    private static final int NUMBER = 0x22;

    private final Side side = new Side("x", NUMBER, 1, Profile.CONNECTX_5, false);
    private final KeyUser user = new KeyUser(1, NUMBER);
    private final QpPlan plan = new QpPlan(
            new DcFetcherKind(),
            user,
            ReceiveSource.OWN,
            QpCapacity.DEFAULT,
            QpDescription.Options.DEFAULT,
            side.local,
            Profile.CONNECTX_5,
            new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder()),
            Optional.empty());
    private final SendLedger requests = new SendLedger(new QpSettings(NUMBER, 1, false), 64);
    private final LocalMemory memory = new LocalMemory(user, new LeaseCache(), PageWaits.NONE);
    private final RendezvousFetches fetches = new RendezvousFetches(
            side.sources.tags(), memory, new ReceiveParts(plan, memory, new LeaseCache(), requests, () -> true));

    private static FetchOrder leftAt(PortAddress sender) {
        TagHeader header = TagHeader.rendezvous(0, 7);
        TagMatch.Expected match = new TagMatch.Expected(new TagEntry(1, Receive.of(1), 7, -1), header);
        ReturnAddress back = new ReturnAddress(sender, new RendezvousAddressHeader(0, 0x50, DcAccessKey.of(1)));
        RendezvousHeader where = new RendezvousHeader(new RemoteAddress(4096, 5), 0);
        return new FetchOrder(match, new TagOpening.Rendezvous(header, where, Optional.of(back)), NUMBER);
    }

    // rules rendezvous-dc, rendezvous-incomplete
    @Test
    void aFetchWithoutAPathToItsSenderEndsIncomplete() {
        PortAddress sender = PortAddress.ofIpv4(0x0A00_0002);
        side.local.change(port -> port.withGidTable(List.of(new Gid(0xFE80L << 48, 1))));
        fetches.fetch(leftAt(sender), side.turn);
        fetches.start(side.turn);
        assertThat(requests.isEmpty()).as("no read is requested").isTrue();
        assertThat(side.sources.matchEnds).containsExactly(Status.TM_RNDV_INCOMPLETE);
    }

    // rule rendezvous-dc
    @Test
    void aFetchUsesTheGidEntryOfItsSendersIpVersion() {
        side.local.change(port -> port.withGidTable(List.of(new Gid(0xFE80L << 48, 1), Gid.ofIpv4(10, 0, 0, 1))));
        fetches.fetch(leftAt(PortAddress.ofIpv4(0x0A00_0002)), side.turn);
        fetches.start(side.turn);
        assertThat(requests.at(requests.head()).toTarget().path().sourceIndex()).isEqualTo(1);
    }
}
