// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.hcaactors.adapter.work.AttributeKind.ACCESS_FLAGS;
import static org.hcaactors.adapter.work.AttributeKind.AV;
import static org.hcaactors.adapter.work.AttributeKind.MAX_QP_RD_ATOMIC;
import static org.hcaactors.adapter.work.AttributeKind.MIN_RNR_TIMER;
import static org.hcaactors.adapter.work.AttributeKind.PATH_MTU;
import static org.hcaactors.adapter.work.AttributeKind.PKEY_INDEX;
import static org.hcaactors.adapter.work.AttributeKind.PORT;
import static org.hcaactors.adapter.work.AttributeKind.RETRY_CNT;
import static org.hcaactors.adapter.work.AttributeKind.RNR_RETRY;
import static org.hcaactors.adapter.work.AttributeKind.SQ_PSN;
import static org.hcaactors.adapter.work.AttributeKind.TIMEOUT;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;

/**
 * Common parts of the DC queue pairs: RC between peers that connect on demand. The requester is an initiator, and a target has a
 * responder for each peer.
 */
public final class Dc {
    public static final StateTable INITIATOR = initiatorStates();
    public static final StateTable TARGET = targetStates();

    /** Number of stream numbers, which have 16 bits. */
    public static final int MAX_STREAMS = 1 << 16;

    private Dc() {}

    // rule dc-supported
    /** VerbsException (EOPNOTSUPP) if the adapter has no DC. */
    public static void checkSupported(Profile profile) {
        if (profile.dynamicallyConnected().responders() == 0) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no DC");
        }
    }

    // rules dc-streams, dc-stream-reset
    /** VerbsException (EINVAL) unless the stream number is below {@code streams}. */
    public static void checkStream(int stream, int streams) {
        if (stream < 0 || stream >= streams) {
            throw VerbsException.invalid("the stream number is " + stream + "; 0 to " + (streams - 1) + " is allowed");
        }
    }

    // rule dc-target-events
    /**
     * Returns the event that a target's program receives for an event of one of its responders; empty for events that end with
     * the session.
     */
    public static Optional<AsyncEvent.Kind> ofTarget(AsyncEvent.Kind ofResponder) {
        return switch (ofResponder) {
            case QP_ACCESS_ERR -> Optional.of(AsyncEvent.Kind.DCT_ACCESS_ERR);
            case QP_REQ_ERR -> Optional.of(AsyncEvent.Kind.DCT_REQ_ERR);
            default -> Optional.empty();
        };
    }

    // rule dc-initiator-attributes
    private static StateTable initiatorStates() {
        return StateTable.bare("DC_INI")
                .endable()
                .with(QpState.RESET, QpState.INIT, Set.of(PKEY_INDEX, PORT), Set.of())
                .with(QpState.INIT, QpState.INIT, Set.of(), Set.of(PKEY_INDEX, PORT))
                .with(QpState.INIT, QpState.RTR, Set.of(PATH_MTU), Set.of(PKEY_INDEX, AV))
                .with(
                        QpState.RTR,
                        QpState.RTS,
                        Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, SQ_PSN),
                        Set.of(MIN_RNR_TIMER))
                .with(QpState.RTS, QpState.RTS, Set.of(), Set.of(MIN_RNR_TIMER));
    }

    // rule dc-target-attributes
    private static StateTable targetStates() {
        return StateTable.bare("DC_TGT")
                .with(QpState.RESET, QpState.INIT, Set.of(ACCESS_FLAGS, PKEY_INDEX, PORT), Set.of())
                .with(QpState.INIT, QpState.RTR, Set.of(MIN_RNR_TIMER, AV, PATH_MTU), Set.of());
    }
}
