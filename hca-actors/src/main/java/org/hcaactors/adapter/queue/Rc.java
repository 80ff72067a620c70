// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.fabric.packet.TransportClass;

/** Reliable connected. */
final class Rc {
    private Rc() {}

    static Halves halves(QpParts parts) {
        return new Halves(TransportClass.RC, new RcInitiator(parts), new RcResponder(parts));
    }
}
