// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.UcEnd;

/** An unreliable connection: every request succeeds, whatever arrives. */
final class Unreliable implements Workload {
    private static final int ENTRIES = 500;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final QueuePairLife life;
    private final Ends<UcEnd> pair;
    private final ReceiveWaves receives;
    private int cell;

    Unreliable(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("unreliable");
        life = sweep.promises().life("unreliable");
        UcConnection attributes = UcConnection.DEFAULT
                .withMtu(sweep.mtu())
                .withSendPsn(SweepContext.firstPsn(random))
                .withReceivePsn(SweepContext.firstPsn(random));
        SweepNode b = sweep.b();
        pair = UcEnd.connect(
                sweep.world().network(), sweep.a().half(), b.half().withRecvCq(b.polledCq(ENTRIES)), attributes);
        receives = new ReceiveWaves(b, random, pair.b()::postReceive);
    }

    @Override
    public void step() {
        int number = cell++ % SweepNode.CELLS;
        int bytes = random.nextInt(SweepNode.CELL + 1);
        receives.oneMore();
        if (random.nextBoolean()) {
            Send send = Send.of(number, sweep.a().source(number, bytes)).withImmediate(number);
            life.add("SEND " + number, pair.a().submit(send), () -> {});
        } else {
            RdmaWrite write = RdmaWrite.of(
                    number, sweep.a().source(number, bytes), sweep.b().remoteTarget(number));
            life.add("WRITE " + number, pair.a().submit(write), () -> {});
        }
    }
}
