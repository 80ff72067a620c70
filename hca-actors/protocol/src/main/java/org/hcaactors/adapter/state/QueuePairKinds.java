// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.dc.Dc;
import org.hcaactors.adapter.rc.Rc;
import org.hcaactors.adapter.uc.Uc;
import org.hcaactors.adapter.ud.Ud;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.xrc.Xrc;

/** List of the kinds of queue pairs, each with its halves. They are listed nowhere else. */
final class QueuePairKinds {
    private QueuePairKinds() {}

    static QueuePairSides halves(QpParts parts) {
        return switch (parts.plan().type()) {
            case RC -> Rc.halves(parts);
            case UC -> Uc.halves(parts);
            case UD -> Ud.halves(parts);
            case XRC_INI -> Xrc.initiator(parts);
            case XRC_TGT -> Xrc.target(parts);
            case DC_INI -> Dc.initiator(parts);
            case DC_TGT -> Dc.responder(parts);
        };
    }
}
