package org.hcaactors.api.queue;

import java.util.List;

/**
 * One call of {@code ibv_modify_qp}: the state to go to and the attributes given with it.
 *
 * @param target the state asked for
 * @param attributes at most one of each kind
 */
public record QpModify(QpState target, List<QpAttribute> attributes) {
    public QpModify {
        attributes = List.copyOf(attributes);
    }

    public static QpModify to(QpState target, QpAttribute... attributes) {
        return new QpModify(target, List.of(attributes));
    }
}
