// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.hcaactors.adapter.work.AttributeKind.ACCESS_FLAGS;
import static org.hcaactors.adapter.work.AttributeKind.ALT_PATH;
import static org.hcaactors.adapter.work.AttributeKind.AV;
import static org.hcaactors.adapter.work.AttributeKind.CUR_STATE;
import static org.hcaactors.adapter.work.AttributeKind.DEST_QPN;
import static org.hcaactors.adapter.work.AttributeKind.EN_SQD_ASYNC_NOTIFY;
import static org.hcaactors.adapter.work.AttributeKind.MAX_DEST_RD_ATOMIC;
import static org.hcaactors.adapter.work.AttributeKind.MAX_QP_RD_ATOMIC;
import static org.hcaactors.adapter.work.AttributeKind.MIN_RNR_TIMER;
import static org.hcaactors.adapter.work.AttributeKind.PATH_MIG_STATE;
import static org.hcaactors.adapter.work.AttributeKind.PATH_MTU;
import static org.hcaactors.adapter.work.AttributeKind.PKEY_INDEX;
import static org.hcaactors.adapter.work.AttributeKind.PORT;
import static org.hcaactors.adapter.work.AttributeKind.QKEY;
import static org.hcaactors.adapter.work.AttributeKind.RETRY_CNT;
import static org.hcaactors.adapter.work.AttributeKind.RNR_RETRY;
import static org.hcaactors.adapter.work.AttributeKind.RQ_PSN;
import static org.hcaactors.adapter.work.AttributeKind.SQ_PSN;
import static org.hcaactors.adapter.work.AttributeKind.TIMEOUT;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;

/**
 * Modify calls that a transport allows: the table of rule qp-transitions (IBA 10.3.1, the Linux qp_state_table), as data.
 * Immutable: one transport's table is derived from another's by renaming it and replacing rows.
 */
public final class StateTable {
    /** Required and optional attributes of one transition. */
    record Rule(Set<AttributeKind> required, Set<AttributeKind> optional) {}

    public static final StateTable RC = reliable();
    public static final StateTable UC = unreliable();
    public static final StateTable UD = datagram();

    // rule qp-current-state
    private static final Set<QpState> NAMEABLE = EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

    private final String transport;
    private final Map<QpState, Map<QpState, Rule>> rules;

    private StateTable(String transport, Map<QpState, Map<QpState, Rule>> rules) {
        this.transport = transport;
        this.rules = rules;
    }

    /** Creates a table that allows nothing yet. */
    public static StateTable bare(String transport) {
        return new StateTable(transport, new EnumMap<>(QpState.class));
    }

    /** Adds the transitions from every state to RESET, and from every state except RESET to ERR. */
    public StateTable endable() {
        StateTable table = this;
        for (QpState state : QpState.values()) {
            table = table.with(state, QpState.RESET, Set.of(), Set.of());
            if (state != QpState.RESET) {
                table = table.with(state, QpState.ERR, Set.of(), Set.of());
            }
        }
        return table;
    }

    private static StateTable of(String transport) {
        return bare(transport).endable().with(QpState.RTS, QpState.SQD, Set.of(), Set.of(EN_SQD_ASYNC_NOTIFY));
    }

    /** Returns the same rows under another transport's name. */
    public StateTable named(String other) {
        return new StateTable(other, rules);
    }

    /** Returns a table in which this transition has these attributes, replacing previous ones. */
    public StateTable with(QpState from, QpState to, Set<AttributeKind> required, Set<AttributeKind> optional) {
        Map<QpState, Map<QpState, Rule>> more = new EnumMap<>(rules);
        Map<QpState, Rule> row = new EnumMap<>(QpState.class);
        row.putAll(rulesFrom(from));
        row.put(to, new Rule(required, optional));
        more.put(from, row);
        return new StateTable(transport, more);
    }

    Optional<Rule> rule(QpState from, QpState to) {
        return Optional.ofNullable(rulesFrom(from).get(to));
    }

    private Map<QpState, Rule> rulesFrom(QpState from) {
        return rules.getOrDefault(from, Map.of());
    }

    /** Checks a modify call; VerbsException (EINVAL) if it is not allowed. The order of the checks is the kernel's. */
    public void check(QpState actual, QpState to, List<QpAttribute> attributes, Profile profile, LocalPort port) {
        Set<AttributeKind> given = QpSettings.kinds(attributes);
        QpState from = QpSettings.from(actual, attributes);
        if (given.contains(CUR_STATE) && (!NAMEABLE.contains(from) || from != actual)) {
            throw VerbsException.invalid("CUR_STATE is " + from + " but the queue pair is in " + actual
                    + "; CUR_STATE must be the current state, and only RTR, RTS, SQD or SQE");
        }
        Rule rule = rule(from, to)
                .orElseThrow(() -> VerbsException.invalid(transport + " can't change from " + from + " to " + to
                        + "; allowed next states: " + rulesFrom(from).keySet()));
        if (!given.containsAll(rule.required)) {
            Set<AttributeKind> missing = EnumSet.copyOf(rule.required);
            missing.removeAll(given);
            throw VerbsException.invalid("the change from " + from + " to " + to + " requires " + missing);
        }
        Set<AttributeKind> surplus = EnumSet.noneOf(AttributeKind.class);
        surplus.addAll(given);
        surplus.removeAll(rule.required);
        surplus.removeAll(rule.optional);
        if (!surplus.isEmpty()) {
            throw VerbsException.invalid("the change from " + from + " to " + to + " does not allow " + surplus);
        }
        for (QpAttribute attribute : attributes) {
            checkValue(attribute, profile, port);
        }
    }

    // rule qp-attribute-values
    private static void checkValue(QpAttribute attribute, Profile profile, LocalPort port) {
        switch (attribute) {
            case QpAttribute.Port a -> Limits.within("PORT", a.number(), 1, 1);
            case QpAttribute.PkeyIndex a ->
                Limits.within("PKEY_INDEX", a.index(), 0, profile.port().pkeyTableLength() - 1);
            case QpAttribute.Timeout a -> Limits.within("TIMEOUT", a.code(), 0, 31);
            case QpAttribute.RetryCount a -> Limits.within("RETRY_CNT", a.count(), 0, 7);
            case QpAttribute.RnrRetry a -> Limits.within("RNR_RETRY", a.count(), 0, 7);
            case QpAttribute.MinRnrTimer a -> Limits.within("MIN_RNR_TIMER", a.code(), 0, 31);
            case QpAttribute.MaxRdAtomic a ->
                Limits.within("MAX_QP_RD_ATOMIC", a.count(), 0, profile.queues().maxRdAtomic());
            case QpAttribute.MaxDestRdAtomic a ->
                Limits.within(
                        "MAX_DEST_RD_ATOMIC", a.count(), 0, profile.queues().maxDestRdAtomic());
            case QpAttribute.Mtu a ->
                Limits.within(
                        "PATH_MTU",
                        a.mtu().bytes(),
                        256,
                        port.attributes().activeMtu().bytes());
            case QpAttribute.DestinationQp a -> Limits.within("DEST_QPN", a.number(), 0, 0xFF_FFFF);
            case QpAttribute.ReceivePsn a -> Limits.within("RQ_PSN", a.psn(), 0, 0xFF_FFFF);
            case QpAttribute.SendPsn a -> Limits.within("SQ_PSN", a.psn(), 0, 0xFF_FFFF);
            case QpAttribute.Av a -> DatagramPath.checked(a.address(), port);
            case QpAttribute.AlternatePath a -> DatagramPath.checked(a.address(), port);
            case QpAttribute.RemoteAccess a -> {}
            case QpAttribute.CurrentState a -> {}
            case QpAttribute.NotifyWhenDrained a -> {}
            case QpAttribute.MigrationState a -> {}
            case QpAttribute.Qkey a -> {}
        }
    }

    private static StateTable reliable() {
        Set<AttributeKind> init = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        Set<AttributeKind> running = Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE);
        return of("RC").with(QpState.RESET, QpState.INIT, init, Set.of())
                .with(QpState.INIT, QpState.INIT, Set.of(), init)
                .with(
                        QpState.INIT,
                        QpState.RTR,
                        Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                        Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX))
                .with(
                        QpState.RTR,
                        QpState.RTS,
                        Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC),
                        running)
                .with(QpState.RTS, QpState.RTS, Set.of(), running)
                .with(
                        QpState.SQD,
                        QpState.SQD,
                        Set.of(),
                        Set.of(
                                PORT,
                                AV,
                                TIMEOUT,
                                RETRY_CNT,
                                RNR_RETRY,
                                MAX_QP_RD_ATOMIC,
                                MAX_DEST_RD_ATOMIC,
                                ALT_PATH,
                                ACCESS_FLAGS,
                                PKEY_INDEX,
                                MIN_RNR_TIMER,
                                PATH_MIG_STATE))
                .with(QpState.SQD, QpState.RTS, Set.of(), running)
                .with(QpState.SQE, QpState.RTS, Set.of(), Set.of(CUR_STATE, ACCESS_FLAGS));
    }

    private static StateTable unreliable() {
        Set<AttributeKind> init = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        Set<AttributeKind> running = Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
        return of("UC").with(QpState.RESET, QpState.INIT, init, Set.of())
                .with(QpState.INIT, QpState.INIT, Set.of(), init)
                .with(
                        QpState.INIT,
                        QpState.RTR,
                        Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN),
                        Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX))
                .with(QpState.RTR, QpState.RTS, Set.of(SQ_PSN), running)
                .with(QpState.RTS, QpState.RTS, Set.of(), running)
                .with(
                        QpState.SQD,
                        QpState.SQD,
                        Set.of(),
                        Set.of(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE))
                .with(QpState.SQD, QpState.RTS, Set.of(), running)
                .with(QpState.SQE, QpState.RTS, Set.of(), Set.of(CUR_STATE, ACCESS_FLAGS));
    }

    private static StateTable datagram() {
        Set<AttributeKind> init = Set.of(PKEY_INDEX, PORT, QKEY);
        Set<AttributeKind> running = Set.of(CUR_STATE, QKEY);
        return of("UD").with(QpState.RESET, QpState.INIT, init, Set.of())
                .with(QpState.INIT, QpState.INIT, Set.of(), init)
                .with(QpState.INIT, QpState.RTR, Set.of(), Set.of(PKEY_INDEX, QKEY))
                .with(QpState.RTR, QpState.RTS, Set.of(SQ_PSN), running)
                .with(QpState.RTS, QpState.RTS, Set.of(), running)
                .with(QpState.SQD, QpState.SQD, Set.of(), Set.of(PKEY_INDEX, QKEY))
                .with(QpState.SQD, QpState.RTS, Set.of(), running)
                .with(QpState.SQE, QpState.RTS, Set.of(), running);
    }
}
