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
    private final SweepContext setting;
    private final SplittableRandom random;
    private final boolean closed;
    private final Ends<RcEnd> pair;

    AccessViolations(SweepContext setting) {
        this.setting = setting;
        random = setting.random("trespass");
        closed = random.nextInt(4) == 0;
        RcConnection attributes = setting.patient(random);
        AccessFlags readOnly = AccessFlags.of(Access.REMOTE_READ);
        pair = setting.connected(closed ? attributes.withRemoteAccess(readOnly) : attributes);
        for (int i = 0; i < 3; i++) {
            pair.b().postReceive(setting.b().receiveOf(i));
        }
    }

    @Override
    public void step() {
        // Once is enough, at the end.
    }

    @Override
    public void finish() {
        SweepNode b = setting.b();
        RemoteAddress to = switch (random.nextInt(4)) {
            case 0 -> b.narrow.remote(b.narrow.lengthBytes() - 8);
            case 1 -> b.readable.remote(0);
            case 2 -> b.foreign.remote(0);
            default -> new RemoteAddress(b.region.rkey() ^ 1, b.remoteTarget(0).address());
        };
        QueuePairLife life =
                setting.promises().life("trespass", closed ? Status.REM_INV_REQ_ERR : Status.REM_ACCESS_ERR);
        for (int i = 1; i <= 2; i++) {
            life.add(
                    "WRITE " + i,
                    pair.a().submit(RdmaWrite.of(i, setting.a().source(0, 64), to)),
                    AccessViolations::neverRight);
        }
    }

    private static void neverRight() {
        throw new AssertionError("a WRITE without the access right succeeded");
    }
}
