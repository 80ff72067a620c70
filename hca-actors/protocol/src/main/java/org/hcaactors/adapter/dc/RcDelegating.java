// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.rc.RcInitiator;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.queue.QpState;

/** What an initiator over DC does as RC's does, while it is connected. */
interface RcDelegating extends Initiator {
    RcInitiator rc();

    @Override
    default void modified() {
        rc().modified();
    }

    @Override
    default void resume(Turn turn) {
        rc().resume(turn);
    }

    @Override
    default void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        rc().keyChanged(ticket, refusal, turn);
    }

    @Override
    default void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        rc().pagesServed(kind, ticket, refusal, turn);
    }

    @Override
    default SideStatus settle(Turn turn) {
        return rc().settle(turn);
    }

    @Override
    default QpState afterFailure() {
        return rc().afterFailure();
    }

    @Override
    default boolean isBusy() {
        return rc().isBusy();
    }

    @Override
    default int nextPsn() {
        return rc().nextPsn();
    }

    @Override
    default boolean hasNoTimeout() {
        return rc().hasNoTimeout();
    }

    @Override
    default int packetsHeld() {
        return rc().packetsHeld();
    }
}
