// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/** A key that is deregistered once under traffic, on either side. */
final class KeyDeregistration implements Workload {
    private static final int ONE_IN = 12;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final QueuePairLife life;
    private final Ends<RcEnd> pair;
    private int cell;

    KeyDeregistration(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("going key");
        life = sweep.promises().life("going key");
        pair = sweep.connected(sweep.patient(random));
    }

    @Override
    public void step() {
        if (random.nextInt(ONE_IN) == 0) {
            deregister(random.nextInt(3) == 0 ? sweep.a() : sweep.b());
        }
        int number = cell++ % SweepNode.CELLS;
        life.add("request " + number, pair.a().submit(work(number)), () -> {});
    }

    private void deregister(SweepNode from) {
        life.mayFailWith(Status.REM_ACCESS_ERR, Status.LOC_PROT_ERR);
        if (from == sweep.b()) {
            // A READ that was sent twice on a slow link is executed twice. If the key was destroyed in between, the
            // responder
            // moves to ERR, and the requester, which already has all the data, ignores the NAK (rules rc-read-now,
            // rc-ghost).
            life.mayFailWith(Status.RETRY_EXC_ERR);
        }
        from.regionToDeregister.deregister();
    }

    /**
     * Returns a request that uses the key before its deregistration; half of the time on the reading side, half on the writing
     * side.
     */
    private RcWork work(int number) {
        int bytes = 1 + random.nextInt(SweepNode.CELL);
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        return random.nextBoolean()
                ? RdmaWrite.of(
                        number,
                        a.regionToDeregister.slice((long) number * SweepNode.CELL, bytes),
                        b.regionToDeregister.remote(b.remoteTarget(number).address() - b.region.address()))
                : RdmaRead.of(
                        number, a.target(number, bytes), b.regionToDeregister.remote((long) number * SweepNode.CELL));
    }
}
