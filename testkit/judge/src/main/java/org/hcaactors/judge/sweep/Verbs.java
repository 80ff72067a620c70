// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/** Every verb of a reliable connection with receives of its own; some of these come late. */
final class Verbs implements Strand {
    private static final int ENTRIES = 500;

    private final SplittableRandom lots;
    private final AnyVerb verb;
    private final Life life;
    private final Ends<RcEnd> pair;
    private final ReceiveWaves receives;
    private int cell;

    Verbs(Setting setting) {
        lots = setting.lots("verbs");
        verb = new AnyVerb(setting, lots);
        life = setting.promises().life("verbs");
        pair = setting.connected(
                setting.a().half(), setting.b().half().recvCq(setting.b().polledCq(ENTRIES)), setting.patient(lots));
        receives = new ReceiveWaves(setting.b(), lots, pair.b()::postReceive);
    }

    @Override
    public void step() {
        receives.oneMore();
        verb.submit(pair.a().qp(), life, cell++ % Site.CELLS);
    }

    @Override
    public void windUp() {
        receives.all();
    }
}
