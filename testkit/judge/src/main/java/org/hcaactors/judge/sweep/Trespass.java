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

/** What no adapter may let pass; each ends its connection. */
final class Trespass implements Strand {
    private final Setting setting;
    private final SplittableRandom lots;
    private final boolean closed;
    private final Ends<RcEnd> pair;

    Trespass(Setting setting) {
        this.setting = setting;
        lots = setting.lots("trespass");
        closed = lots.nextInt(4) == 0;
        RcConnection terms = setting.patient(lots);
        AccessFlags readOnly = AccessFlags.of(Access.REMOTE_READ);
        pair = setting.connected(closed ? terms.withRemoteAccess(readOnly) : terms);
        for (int i = 0; i < 3; i++) {
            pair.b().postReceive(setting.b().receiveOf(i));
        }
    }

    @Override
    public void step() {
        // Once is enough, at the end.
    }

    @Override
    public void windUp() {
        Site b = setting.b();
        RemoteAddress to = switch (lots.nextInt(4)) {
            case 0 -> b.narrow.remote(b.narrow.lengthBytes() - 8);
            case 1 -> b.readable.remote(0);
            case 2 -> b.foreign.remote(0);
            default -> new RemoteAddress(b.region.rkey() ^ 1, b.remoteTarget(0).address());
        };
        Life life = setting.promises().life("trespass", closed ? Status.REM_INV_REQ_ERR : Status.REM_ACCESS_ERR);
        for (int i = 1; i <= 2; i++) {
            life.add(
                    "WRITE " + i,
                    pair.a().submit(RdmaWrite.of(i, setting.a().source(0, 64), to)),
                    Trespass::neverRight);
        }
    }

    private static void neverRight() {
        throw new AssertionError("a WRITE without a right to it succeeded");
    }
}
