// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import org.hcaactors.adapter.work.Halves;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.fabric.packet.TransportClass;

/** Unreliable connected: no acknowledgements, so no timers and no replays. */
public final class Uc {
    private Uc() {}

    public static Halves halves(QpParts parts) {
        return new Halves(TransportClass.UC, StateTable.UC, new UcRequester(parts), new UcResponder(parts));
    }
}
