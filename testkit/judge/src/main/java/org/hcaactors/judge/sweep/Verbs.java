// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/** Every verb of a reliable connection with its own receive queue; some receives are posted late. */
final class Verbs implements Workload {
    private static final int ENTRIES = 500;

    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final QueuePairLife life;
    private final Ends<RcEnd> pair;
    private final ReceiveWaves receives;
    private int cell;

    Verbs(SweepContext sweep) {
        random = sweep.random("verbs");
        verb = new RandomVerbs(sweep, random);
        life = sweep.promises().life("verbs");
        pair = sweep.connected(
                sweep.a().half(), sweep.b().half().withRecvCq(sweep.b().polledCq(ENTRIES)), sweep.patient(random));
        receives = new ReceiveWaves(sweep.b(), random, pair.b()::postReceive);
    }

    @Override
    public void step() {
        receives.oneMore();
        verb.submit(pair.a().qp(), life, cell++ % SweepNode.CELLS);
    }

    @Override
    public void finish() {
        receives.all();
    }
}
