// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.EnumSet;
import java.util.Set;
import org.hcaactors.api.queue.QpState;

/** A call of modify with valid attributes, and the states in which it is legal (IBA 10.3.1). */
enum StateMove {
    INIT(QpState.INIT, EnumSet.of(QpState.RESET, QpState.INIT)),
    RTR(QpState.RTR, EnumSet.of(QpState.INIT)),
    RTS(QpState.RTS, EnumSet.of(QpState.RTR)),
    /** To RTS without attributes. */
    RESUME(QpState.RTS, EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE)),
    SQD(QpState.SQD, EnumSet.of(QpState.RTS, QpState.SQD)),
    ERR(QpState.ERR, EnumSet.complementOf(EnumSet.of(QpState.RESET))),
    RESET(QpState.RESET, EnumSet.allOf(QpState.class)),
    /** With rights, and another attribute out of its range: nothing may change. */
    NONSENSE(QpState.RTS, EnumSet.noneOf(QpState.class));

    private final QpState target;
    private final Set<QpState> from;

    StateMove(QpState target, Set<QpState> from) {
        this.target = target;
        this.from = from;
    }

    QpState target() {
        return target;
    }

    boolean isLegalFrom(QpState state) {
        return from.contains(state);
    }

    /** True if it may be refused in that state; also a legal one, while the send queue drains. */
    boolean mayBeRefusedIn(QpState state) {
        return !isLegalFrom(state) || state == QpState.SQD && this != RESET && this != ERR;
    }
}
