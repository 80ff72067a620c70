// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hcaactors.adapter.dc.DcInitiatorKind;
import org.hcaactors.adapter.dc.DcResponderKind;
import org.hcaactors.adapter.rc.RcKind;
import org.hcaactors.adapter.uc.UcKind;
import org.hcaactors.adapter.ud.UdKind;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.adapter.xrc.XrcInitiatorKind;
import org.hcaactors.adapter.xrc.XrcTargetKind;
import org.hcaactors.api.queue.QpType;

/**
 * List of the kinds of queue pairs by their types. They are listed nowhere else; the initiator of a tag-matching queue, which no
 * program sees, is a kind of its own without a type of its own.
 */
public final class QueuePairKinds {
    private static final List<QueuePairKind> ALL = List.of(
            new RcKind(),
            new UcKind(),
            new UdKind(),
            new XrcInitiatorKind(),
            new XrcTargetKind(),
            new DcInitiatorKind(),
            new DcResponderKind());

    private static final Map<QpType, QueuePairKind> BY_TYPE =
            ALL.stream().collect(Collectors.toUnmodifiableMap(QueuePairKind::type, Function.identity()));

    private QueuePairKinds() {}

    /** Returns the kind of that type; for a DC target, that of its responders. */
    public static QueuePairKind of(QpType type) {
        QueuePairKind kind = BY_TYPE.get(type);
        if (kind == null) {
            throw new IllegalArgumentException("no kind of queue pair has the type " + type);
        }
        return kind;
    }
}
