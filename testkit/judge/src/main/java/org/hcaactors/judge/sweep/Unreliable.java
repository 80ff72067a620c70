// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.UcEnd;

/** An unreliable connection: whoever sends succeeds, whatever arrives. */
final class Unreliable implements Strand {
    private static final int ENTRIES = 500;

    private final Setting setting;
    private final SplittableRandom lots;
    private final Life life;
    private final Ends<UcEnd> pair;
    private final ReceiveWaves receives;
    private int cell;

    Unreliable(Setting setting) {
        this.setting = setting;
        lots = setting.lots("unreliable");
        life = setting.promises().life("unreliable");
        UcConnection terms = UcConnection.DEFAULT
                .withMtu(setting.mtu())
                .withSendPsn(Setting.firstPsn(lots))
                .withReceivePsn(Setting.firstPsn(lots));
        Site b = setting.b();
        pair = UcEnd.connect(
                setting.world().network(), setting.a().half(), b.half().recvCq(b.polledCq(ENTRIES)), terms);
        receives = new ReceiveWaves(b, lots, pair.b()::postReceive);
    }

    @Override
    public void step() {
        int number = cell++ % Site.CELLS;
        int bytes = lots.nextInt(Site.CELL + 1);
        receives.oneMore();
        if (lots.nextBoolean()) {
            Send send = Send.of(number, setting.a().source(number, bytes)).withImmediate(number);
            life.add("SEND " + number, pair.a().submit(send), () -> {});
        } else {
            RdmaWrite write = RdmaWrite.of(
                    number, setting.a().source(number, bytes), setting.b().remoteTarget(number));
            life.add("WRITE " + number, pair.a().submit(write), () -> {});
        }
    }
}
