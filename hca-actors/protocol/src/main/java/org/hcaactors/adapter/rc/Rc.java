// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.Target;

/** Factory of the halves of an RC queue pair, for the transports that build on them, too. */
public final class Rc {
    private Rc() {}

    /** Creates a requester half alone. */
    public static Initiator initiator(QpParts parts) {
        return initiator(parts, new PsnWindow(parts.requests()));
    }

    /** Creates a requester half on a PSN window that other machines read, too. */
    public static RcInitiator initiator(QpParts parts, PsnWindow window) {
        return new RcInitiator(parts, window);
    }

    /** Creates a responder half alone. */
    public static Target target(QpParts parts) {
        return new RcResponder(parts);
    }
}
