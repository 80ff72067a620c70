// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/** A key that is taken away once under traffic, on either side. */
final class GoingKey implements Strand {
    private static final int ONE_IN = 12;

    private final Setting setting;
    private final SplittableRandom lots;
    private final Life life;
    private final Ends<RcEnd> pair;
    private int cell;

    GoingKey(Setting setting) {
        this.setting = setting;
        lots = setting.lots("going key");
        life = setting.promises().life("going key");
        pair = setting.connected(setting.patient(lots));
    }

    @Override
    public void step() {
        if (lots.nextInt(ONE_IN) == 0) {
            goes(lots.nextInt(3) == 0 ? setting.a() : setting.b());
        }
        int number = cell++ % Site.CELLS;
        life.add("request " + number, pair.a().submit(work(number)), () -> {});
    }

    private void goes(Site from) {
        life.mayFailWith(Status.REM_ACCESS_ERR, Status.LOC_PROT_ERR);
        if (from == setting.b()) {
            // A READ that was sent twice on a slow wire is carried out twice. If the key has gone in between, the peer
            // ends
            // its side, and the requester, who has all of that READ, ignores the NAK (rules rc-read-now, rc-ghost).
            life.mayFailWith(Status.RETRY_EXC_ERR);
        }
        from.doomed.deregister();
    }

    /** Uses the key that is about to go; half of the time as the reader, half as the writer. */
    private RcWork work(int number) {
        int bytes = 1 + lots.nextInt(Site.CELL);
        Site a = setting.a();
        Site b = setting.b();
        return lots.nextBoolean()
                ? RdmaWrite.of(
                        number,
                        a.doomed.slice((long) number * Site.CELL, bytes),
                        b.doomed.remote(b.remoteTarget(number).address() - b.region.address()))
                : RdmaRead.of(number, a.target(number, bytes), b.doomed.remote((long) number * Site.CELL));
    }
}
