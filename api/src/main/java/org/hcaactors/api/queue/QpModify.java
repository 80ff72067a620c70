// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.hcaactors.api.memory.AccessFlags;

/**
 * One call of {@code ibv_modify_qp}: the target state and its attributes.
 *
 * <p>Immutable.
 *
 * @param target the state to enter
 * @param attributes at most one of each kind
 */
public record QpModify(QpState target, List<QpAttribute> attributes) {
    public QpModify {
        attributes = List.copyOf(attributes);
    }

    /** RESET to INIT for a connected queue pair on port 1, with P_Key index 0. */
    static QpModify toInit(AccessFlags remoteAccess) {
        return to(
                QpState.INIT,
                new QpAttribute.PkeyIndex(0),
                new QpAttribute.Port(1),
                new QpAttribute.RemoteAccess(remoteAccess));
    }

    public static QpModify to(QpState target, QpAttribute... attributes) {
        return new QpModify(target, List.of(attributes));
    }
}
