// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.fabric.packet.TransportClass;

/** Factory of the halves of a UC queue pair: no acknowledgements, hence no timers and no retransmission. */
public final class Uc {
    private Uc() {}

    public static QueuePairSides halves(QpParts parts) {
        return new QueuePairSides(TransportClass.UC, StateTable.UC, new UcRequester(parts), new UcResponder(parts));
    }
}
