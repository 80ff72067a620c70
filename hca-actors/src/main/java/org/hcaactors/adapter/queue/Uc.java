// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.fabric.packet.TransportClass;

/** Unreliable connected: no acknowledgements, so no timers and no replays. */
final class Uc {
    private Uc() {}

    static Halves halves(QpParts parts) {
        return new Halves(TransportClass.UC, new UcRequester(parts), new UcResponder(parts));
    }
}
