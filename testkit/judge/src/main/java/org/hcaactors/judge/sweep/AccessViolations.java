// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/** Requests that every adapter must refuse; each ends its connection. */
final class AccessViolations implements Workload {
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final boolean closed;
    private final Ends<RcEnd> pair;

    AccessViolations(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("trespass");
        closed = random.nextInt(4) == 0;
        RcConnection attributes = sweep.patient(random);
        AccessFlags readOnly = AccessFlags.of(Access.REMOTE_READ);
        pair = sweep.connected(closed ? attributes.withRemoteAccess(readOnly) : attributes);
        for (int i = 0; i < 3; i++) {
            pair.b().postReceive(sweep.b().receiveOf(i));
        }
    }

    @Override
    public void step() {
        // Once is enough, at the end.
    }

    @Override
    public void finish() {
        SweepNode b = sweep.b();
        RemoteAddress to = switch (random.nextInt(4)) {
            case 0 -> b.narrow.remote(b.narrow.lengthBytes() - 8);
            case 1 -> b.readable.remote(0);
            case 2 -> b.foreign.remote(0);
            default -> new RemoteAddress(b.region.rkey() ^ 1, b.remoteTarget(0).address());
        };
        QueuePairLife life = sweep.promises().life("trespass", closed ? Status.REM_INV_REQ_ERR : Status.REM_ACCESS_ERR);
        for (int i = 1; i <= 2; i++) {
            life.add(
                    "WRITE " + i,
                    pair.a().submit(RdmaWrite.of(i, sweep.a().source(0, 64), to)),
                    AccessViolations::neverRight);
        }
    }

    private static void neverRight() {
        throw new AssertionError("a WRITE without the access right succeeded");
    }
}
