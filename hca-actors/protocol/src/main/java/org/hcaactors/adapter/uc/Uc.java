// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.fabric.packet.TransportClass;

/** Unreliable connected: no acknowledgements, so no timers and no replays. */
public final class Uc {
    private Uc() {}

    public static QueuePairSides halves(QpParts parts) {
        return new QueuePairSides(TransportClass.UC, StateTable.UC, new UcRequester(parts), new UcResponder(parts));
    }
}
