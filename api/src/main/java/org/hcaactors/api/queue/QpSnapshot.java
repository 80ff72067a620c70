// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code ibv_query_qp}, at one instant.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class QpSnapshot {
    private final QpState state;
    private final boolean sqDraining;
    private final int sendPsn;
    private final int receivePsn;
    private final int maxRdAtomic;
    private final int maxDestRdAtomic;
    private final List<QpAttribute> attributes;

    private QpSnapshot(
            QpState state,
            boolean sqDraining,
            int sendPsn,
            int receivePsn,
            int maxRdAtomic,
            int maxDestRdAtomic,
            List<QpAttribute> attributes) {
        this.state = state;
        this.sqDraining = sqDraining;
        this.sendPsn = sendPsn;
        this.receivePsn = receivePsn;
        this.maxRdAtomic = maxRdAtomic;
        this.maxDestRdAtomic = maxDestRdAtomic;
        this.attributes = List.copyOf(attributes);
    }

    /** Returns a snapshot with this state, 0 in all other fields, and no attributes. */
    public static QpSnapshot of(QpState state) {
        return new QpSnapshot(state, false, 0, 0, 0, 0, List.of());
    }

    public QpState state() {
        return state;
    }

    /** True in SQD while messages that were started before are unfinished. */
    public boolean sqDraining() {
        return sqDraining;
    }

    /** Next PSN of a new request. */
    public int sendPsn() {
        return sendPsn;
    }

    /** Next PSN expected. */
    public int receivePsn() {
        return receivePsn;
    }

    /** Maximum outstanding READs and atomics as requester. */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** Maximum outstanding READs and atomics as responder. */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /**
     * Attributes set since RESET, one of each kind, as they are now: those of {@code ibv_qp_attr} without PSNs, which are
     * above, and without what has an effect only once. The flow label of a path is 0 if the adapter chose it.
     */
    public List<QpAttribute> attributes() {
        return attributes;
    }

    /** Returns the attribute of that kind, if it was set since RESET. */
    public <A extends QpAttribute> Optional<A> attribute(Class<A> kind) {
        return attributes.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    public QpSnapshot withSqDraining(boolean draining) {
        return new QpSnapshot(state, draining, sendPsn, receivePsn, maxRdAtomic, maxDestRdAtomic, attributes);
    }

    public QpSnapshot withSendPsn(int psn) {
        return new QpSnapshot(state, sqDraining, psn, receivePsn, maxRdAtomic, maxDestRdAtomic, attributes);
    }

    public QpSnapshot withReceivePsn(int psn) {
        return new QpSnapshot(state, sqDraining, sendPsn, psn, maxRdAtomic, maxDestRdAtomic, attributes);
    }

    public QpSnapshot withMaxRdAtomic(int max) {
        return new QpSnapshot(state, sqDraining, sendPsn, receivePsn, max, maxDestRdAtomic, attributes);
    }

    public QpSnapshot withMaxDestRdAtomic(int max) {
        return new QpSnapshot(state, sqDraining, sendPsn, receivePsn, maxRdAtomic, max, attributes);
    }

    public QpSnapshot withAttributes(List<QpAttribute> set) {
        return new QpSnapshot(state, sqDraining, sendPsn, receivePsn, maxRdAtomic, maxDestRdAtomic, set);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpSnapshot same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "QpSnapshot" + values();
    }

    private List<Object> values() {
        return List.of(state, sqDraining, sendPsn, receivePsn, maxRdAtomic, maxDestRdAtomic, attributes);
    }
}
