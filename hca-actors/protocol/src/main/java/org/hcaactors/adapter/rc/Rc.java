// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.fabric.packet.TransportClass;

/** Reliable connected. */
public final class Rc {
    private Rc() {}

    public static QueuePairSides halves(QpParts parts) {
        return new QueuePairSides(TransportClass.RC, StateTable.RC, initiator(parts), target(parts));
    }

    /** What asks alone. */
    public static Initiator initiator(QpParts parts) {
        return initiator(parts, new PsnWindow(parts.requests()));
    }

    /** The same, whose window others look into. */
    public static RcInitiator initiator(QpParts parts, PsnWindow window) {
        return new RcInitiator(parts, window);
    }

    /** What is asked alone. */
    public static Target target(QpParts parts) {
        return new RcResponder(parts);
    }
}
