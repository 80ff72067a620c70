// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import static org.hcaactors.adapter.work.AttributeKind.ACCESS_FLAGS;
import static org.hcaactors.adapter.work.AttributeKind.ALT_PATH;
import static org.hcaactors.adapter.work.AttributeKind.AV;
import static org.hcaactors.adapter.work.AttributeKind.CUR_STATE;
import static org.hcaactors.adapter.work.AttributeKind.DEST_QPN;
import static org.hcaactors.adapter.work.AttributeKind.MAX_DEST_RD_ATOMIC;
import static org.hcaactors.adapter.work.AttributeKind.MAX_QP_RD_ATOMIC;
import static org.hcaactors.adapter.work.AttributeKind.MIN_RNR_TIMER;
import static org.hcaactors.adapter.work.AttributeKind.PATH_MIG_STATE;
import static org.hcaactors.adapter.work.AttributeKind.PATH_MTU;
import static org.hcaactors.adapter.work.AttributeKind.PKEY_INDEX;
import static org.hcaactors.adapter.work.AttributeKind.PORT;
import static org.hcaactors.adapter.work.AttributeKind.RETRY_CNT;
import static org.hcaactors.adapter.work.AttributeKind.RNR_RETRY;
import static org.hcaactors.adapter.work.AttributeKind.RQ_PSN;
import static org.hcaactors.adapter.work.AttributeKind.SQ_PSN;
import static org.hcaactors.adapter.work.AttributeKind.TIMEOUT;

import java.util.Set;
import org.hcaactors.adapter.work.AttributeKind;
import org.hcaactors.adapter.work.StateTable;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;

/**
 * Common parts of the XRC queue pairs: RC in two queue pairs, an initiator and a target. Each request names its shared
 * receive queue.
 */
public final class Xrc {
    public static final StateTable INITIATOR = initiator();
    public static final StateTable TARGET = target();

    private Xrc() {}

    // rule xrc-supported
    /** VerbsException (EOPNOTSUPP) if the adapter has no XRC. */
    public static void checkSupported(Profile profile) {
        if (!profile.sharedReceives().xrc()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no XRC");
        }
    }

    // rule xrc-attributes
    /** RC's table without the responder's attributes. */
    private static StateTable initiator() {
        Set<AttributeKind> running = Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
        return running(
                "XRC_INI",
                Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN),
                Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC),
                running,
                Set.of(
                        PORT,
                        AV,
                        TIMEOUT,
                        RETRY_CNT,
                        RNR_RETRY,
                        MAX_QP_RD_ATOMIC,
                        ALT_PATH,
                        ACCESS_FLAGS,
                        PKEY_INDEX,
                        PATH_MIG_STATE));
    }

    // rule xrc-attributes
    /** RC's table without the requester's attributes, except the timeout and the first PSN. */
    private static StateTable target() {
        Set<AttributeKind> running = Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE);
        return running(
                "XRC_TGT",
                Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                Set.of(TIMEOUT, SQ_PSN),
                running,
                Set.of(
                        PORT,
                        AV,
                        TIMEOUT,
                        MAX_DEST_RD_ATOMIC,
                        ALT_PATH,
                        ACCESS_FLAGS,
                        PKEY_INDEX,
                        MIN_RNR_TIMER,
                        PATH_MIG_STATE));
    }

    private static StateTable running(
            String name,
            Set<AttributeKind> toReceive,
            Set<AttributeKind> toSend,
            Set<AttributeKind> running,
            Set<AttributeKind> drained) {
        return StateTable.RC
                .named(name)
                .with(QpState.INIT, QpState.RTR, toReceive, Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX))
                .with(QpState.RTR, QpState.RTS, toSend, running)
                .with(QpState.RTS, QpState.RTS, Set.of(), running)
                .with(QpState.SQD, QpState.SQD, Set.of(), drained)
                .with(QpState.SQD, QpState.RTS, Set.of(), running);
    }
}
