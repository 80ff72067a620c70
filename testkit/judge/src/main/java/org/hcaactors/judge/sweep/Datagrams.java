// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;

/** Datagrams, some with a wrong Q_Key: every sender's requests succeed. */
final class Datagrams implements Workload {
    private static final int QKEY = 0x1234_5678;
    private static final int WRONG_QKEY = 99;
    private static final int ENTRIES = 500;
    private static final int LONGEST = 1000;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final QueuePairLife life;
    private final UdEnd from;
    private final ReceiveWaves receives;
    /** Source of some of the datagrams; its pages may be absent until the send. */
    private final SpecialRegionSlot place;

    private Optional<SpecialRegion> paged = Optional.empty();
    private int cell;

    Datagrams(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("datagrams");
        life = sweep.promises().life("datagrams");
        World world = sweep.world();
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        UdQueuePair one = world.await(a.domain.createQp(QpDescription.ud()));
        UdQueuePair other = world.await(b.domain.createQp(QpDescription.ud().withRecvCq(b.polledCq(ENTRIES))));
        Ends<UdEnd> ends = UdEnd.introduce(world.network(), a.side, one, b.side, other, QKEY);
        from = ends.a();
        receives = new ReceiveWaves(b, random, ends.b()::postReceive);
        place = SpecialRegionSlot.paged(sweep, a, sweep.random("paged datagrams"));
        paged = open();
    }

    @Override
    public void step() {
        int number = cell++ % SweepNode.CELLS;
        receives.oneMore();
        Send send = Send.of(number, source(number, random.nextInt(LONGEST)));
        UdAddress peer = from.peer();
        UdAddress to = random.nextInt(5) == 0
                ? new UdAddress(peer.addressHandle(), peer.qpNumber(), QKey.of(WRONG_QKEY))
                : peer;
        life.add("SEND " + number, from.qp().submit(to, send), () -> {});
    }

    private Optional<SpecialRegion> open() {
        try {
            return Optional.of(place.open());
        } catch (VerbsException refused) {
            return Optional.empty();
        }
    }

    private LocalSlice source(int number, int bytes) {
        if (paged.isEmpty() || number % 2 == 0) {
            return sweep.a().source(number, bytes);
        }
        paged.get().change();
        return paged.get().slice(SpecialRegion.source(number % SpecialRegion.CELLS), bytes);
    }
}
