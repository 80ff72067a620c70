// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.dc.Dc;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.xrc.Xrc;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of modify calls, row by row (rule qp-transitions). */
class StateTableTest {
    private static final Set<String> LEGAL = Set.of(
            "RESET>RESET",
            "RESET>INIT",
            "INIT>INIT",
            "INIT>RTR",
            "RTR>RTS",
            "RTS>RTS",
            "RTS>SQD",
            "SQD>SQD",
            "SQD>RTS",
            "SQE>RTS",
            "ERR>RESET",
            "ERR>ERR",
            "INIT>RESET",
            "RTR>RESET",
            "RTS>RESET",
            "SQD>RESET",
            "SQE>RESET",
            "INIT>ERR",
            "RTR>ERR",
            "RTS>ERR",
            "SQD>ERR",
            "SQE>ERR");

    private static final LocalPort PORT = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withGidTableLength(16)
                    .withPkeyTableLength(128))
            .withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1)))
            .withPkeyTable(List.of(0xFFFF)));

    private static QpAttribute sample(AttributeKind kind) {
        return switch (kind) {
            case CUR_STATE -> new QpAttribute.CurrentState(QpState.RTS);
            case EN_SQD_ASYNC_NOTIFY -> new QpAttribute.NotifyWhenDrained(true);
            case ACCESS_FLAGS -> new QpAttribute.RemoteAccess(AccessFlags.LOCAL_AND_REMOTE);
            case PKEY_INDEX -> new QpAttribute.PkeyIndex(0);
            case PORT -> new QpAttribute.Port(1);
            case QKEY -> new QpAttribute.Qkey(QKey.of(7));
            case AV -> new QpAttribute.Av(AddressVector.to(Gid.ofIpv4(10, 0, 0, 2)));
            case PATH_MTU -> new QpAttribute.Mtu(PathMtu.BYTES_1024);
            case TIMEOUT -> new QpAttribute.Timeout(14);
            case RETRY_CNT -> new QpAttribute.RetryCount(7);
            case RNR_RETRY -> new QpAttribute.RnrRetry(7);
            case RQ_PSN -> new QpAttribute.ReceivePsn(0);
            case MAX_QP_RD_ATOMIC -> new QpAttribute.MaxRdAtomic(1);
            case ALT_PATH -> new QpAttribute.AlternatePath(AddressVector.to(Gid.ofIpv4(10, 0, 0, 3)));
            case MIN_RNR_TIMER -> new QpAttribute.MinRnrTimer(12);
            case SQ_PSN -> new QpAttribute.SendPsn(0);
            case MAX_DEST_RD_ATOMIC -> new QpAttribute.MaxDestRdAtomic(1);
            case PATH_MIG_STATE -> new QpAttribute.MigrationState(true);
            case DEST_QPN -> new QpAttribute.DestinationQp(17);
        };
    }

    private static void check(QpType of, QpState from, QpState to, Set<AttributeKind> kinds) {
        List<QpAttribute> attributes = kinds.stream()
                .map(kind -> kind == AttributeKind.CUR_STATE ? new QpAttribute.CurrentState(from) : sample(kind))
                .collect(Collectors.toList());
        table(of).check(from, to, attributes, Profile.CONNECTX_5, PORT);
    }

    private static StateTable table(QpType of) {
        return switch (of) {
            case RC -> StateTable.RC;
            case UC -> StateTable.UC;
            case UD -> StateTable.UD;
            case XRC_INI -> Xrc.INITIATOR;
            case XRC_TGT -> Xrc.TARGET;
            case DC_INI -> Dc.INITIATOR;
            case DC_TGT -> Dc.TARGET;
        };
    }

    static List<List<QpState>> transitions() {
        return Arrays.stream(QpState.values())
                .flatMap(from -> Arrays.stream(QpState.values()).map(to -> List.of(from, to)))
                .toList();
    }

    // rule qp-transitions
    @ParameterizedTest
    @MethodSource("transitions")
    void onlyTheTransitionsOfTheTableAreLegal(List<QpState> pair) {
        boolean legal = LEGAL.contains(pair.get(0) + ">" + pair.get(1));
        for (StateTable table : List.of(StateTable.RC, StateTable.UC, StateTable.UD)) {
            assertThat(table.rule(pair.get(0), pair.get(1)).isPresent()).isEqualTo(legal);
        }
    }

    // rules dc-initiator-attributes, dc-target-attributes
    @ParameterizedTest
    @MethodSource("transitions")
    void aDcInitiatorNeverDrainsAndADcTargetOnlyMovesUp(List<QpState> pair) {
        String step = pair.get(0) + ">" + pair.get(1);
        Set<String> never = Set.of("RTS>SQD", "SQD>SQD", "SQD>RTS", "SQE>RTS");
        assertThat(Dc.INITIATOR.rule(pair.get(0), pair.get(1)).isPresent())
                .isEqualTo(LEGAL.contains(step) && !never.contains(step));
        assertThat(Dc.TARGET.rule(pair.get(0), pair.get(1)).isPresent())
                .isEqualTo(Set.of("RESET>INIT", "INIT>RTR").contains(step));
    }

    // rules qp-transitions, dc-initiator-attributes, dc-target-attributes
    @ParameterizedTest(name = "{0}: {1} to {2} requires {3}, allows {4}")
    @CsvSource({
        "RC, RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS, ''",
        "RC, INIT, INIT, '', PKEY_INDEX PORT ACCESS_FLAGS",
        "RC, INIT, RTR, AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER,"
                + " ALT_PATH ACCESS_FLAGS PKEY_INDEX",
        "RC, RTR, RTS, TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC,"
                + " CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
        "RC, RTS, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
        "RC, RTS, SQD, '', EN_SQD_ASYNC_NOTIFY",
        "RC, SQD, SQD, '', PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH"
                + " ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE",
        "RC, SQD, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
        "RC, SQE, RTS, '', CUR_STATE ACCESS_FLAGS",
        "RC, RTS, ERR, '', ''",
        "RC, ERR, RESET, '', ''",
        "UC, RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS, ''",
        "UC, INIT, INIT, '', PKEY_INDEX PORT ACCESS_FLAGS",
        "UC, INIT, RTR, AV PATH_MTU DEST_QPN RQ_PSN, ALT_PATH ACCESS_FLAGS PKEY_INDEX",
        "UC, RTR, RTS, SQ_PSN, CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "UC, RTS, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "UC, RTS, SQD, '', EN_SQD_ASYNC_NOTIFY",
        "UC, SQD, SQD, '', AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE",
        "UC, SQD, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "UC, SQE, RTS, '', CUR_STATE ACCESS_FLAGS",
        "UD, RESET, INIT, PKEY_INDEX PORT QKEY, ''",
        "UD, INIT, INIT, '', PKEY_INDEX PORT QKEY",
        "UD, INIT, RTR, '', PKEY_INDEX QKEY",
        "UD, RTR, RTS, SQ_PSN, CUR_STATE QKEY",
        "UD, RTS, RTS, '', CUR_STATE QKEY",
        "UD, RTS, SQD, '', EN_SQD_ASYNC_NOTIFY",
        "UD, SQD, SQD, '', PKEY_INDEX QKEY",
        "UD, SQD, RTS, '', CUR_STATE QKEY",
        "UD, SQE, RTS, '', CUR_STATE QKEY",
        "DC_INI, RESET, INIT, PKEY_INDEX PORT, ''",
        "DC_INI, INIT, RTR, PATH_MTU, PKEY_INDEX AV",
        "DC_INI, RTR, RTS, TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC SQ_PSN, MIN_RNR_TIMER",
        "DC_INI, RTS, RTS, '', MIN_RNR_TIMER",
        "DC_INI, RTS, ERR, '', ''",
        "DC_INI, ERR, RESET, '', ''",
        "DC_TGT, RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS, ''",
        "DC_TGT, INIT, RTR, MIN_RNR_TIMER AV PATH_MTU, ''"
    })
    void eachTransitionTakesExactlyItsAttributes(
            QpType of, QpState from, QpState to, String required, String optional) {
        Set<AttributeKind> needs = kinds(required);
        check(of, from, to, needs);
        Set<AttributeKind> all = union(needs, kinds(optional));
        check(of, from, to, all);
        for (AttributeKind missing : needs) {
            Set<AttributeKind> fewer = union(needs, Set.of());
            fewer.remove(missing);
            refused(of, from, to, fewer, missing.name());
        }
        for (AttributeKind extra : EnumSet.complementOf((EnumSet<AttributeKind>) all)) {
            if (extra != AttributeKind.CUR_STATE) {
                refused(of, from, to, union(needs, Set.of(extra)), extra.name());
            }
        }
    }

    private static Set<AttributeKind> kinds(String names) {
        Set<AttributeKind> kinds = EnumSet.noneOf(AttributeKind.class);
        for (String name : names.split(" ")) {
            if (!name.isBlank()) {
                kinds.add(AttributeKind.valueOf(name));
            }
        }
        return kinds;
    }

    private static Set<AttributeKind> union(Set<AttributeKind> one, Set<AttributeKind> other) {
        Set<AttributeKind> both = EnumSet.noneOf(AttributeKind.class);
        both.addAll(one);
        both.addAll(other);
        return both;
    }

    private static void refused(QpType of, QpState from, QpState to, Set<AttributeKind> kinds, String named) {
        assertThatThrownBy(() -> check(of, from, to, kinds))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(named);
    }

    // rule qp-transitions
    @Test
    void resetToErrorIsRefusedWithEinval() {
        refused(QpType.RC, QpState.RESET, QpState.ERR, Set.of(), "RC can't change from RESET to ERR");
        refused(QpType.UD, QpState.RESET, QpState.ERR, Set.of(), "UD can't change from RESET to ERR");
    }

    // rule qp-current-state
    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "ERR"})
    void currentStateCanOnlyNameARunningState(QpState named) {
        assertThatThrownBy(() -> StateTable.RC.check(
                        named, QpState.RTS, List.of(new QpAttribute.CurrentState(named)), Profile.CONNECTX_5, PORT))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("CUR_STATE");
    }

    // rule qp-attribute-values
    @Test
    void valuesOutOfRangeAreRefusedAndNamed() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        List<QpAttribute> bad = List.of(
                new QpAttribute.Port(2),
                new QpAttribute.PkeyIndex(128),
                new QpAttribute.Av(
                        AddressVector.to(GlobalRoute.to(Gid.ofIpv4(10, 0, 0, 9)).withHopLimit(0))),
                new QpAttribute.Timeout(32),
                new QpAttribute.RetryCount(8),
                new QpAttribute.RnrRetry(-1),
                new QpAttribute.MinRnrTimer(32),
                new QpAttribute.MaxRdAtomic(17),
                new QpAttribute.MaxDestRdAtomic(17));
        for (QpAttribute attribute : bad) {
            assertThatThrownBy(() -> rig.a.machine.modify(QpModify.to(QpState.SQD, attribute), rig.a.turn))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("is allowed");
        }
    }

    // rule qp-attribute-values
    @Test
    void valuesOfAConnectionOutOfRangeAreRefusedAndNamed() {
        List<QpAttribute> good = Rig.TERMS.toRtr(Gid.ofIpv4(10, 0, 0, 2), 0x22).attributes();
        for (QpAttribute bad : List.of(new QpAttribute.DestinationQp(0x100_0000), new QpAttribute.ReceivePsn(-1))) {
            List<QpAttribute> attributes = good.stream()
                    .map(one -> one.getClass() == bad.getClass() ? bad : one)
                    .toList();
            assertThatThrownBy(
                            () -> StateTable.RC.check(QpState.INIT, QpState.RTR, attributes, Profile.CONNECTX_5, PORT))
                    .hasMessageContaining("0 to 16777215 is allowed");
        }
        assertThatThrownBy(() -> StateTable.UC.check(
                        QpState.RTR,
                        QpState.RTS,
                        List.of(new QpAttribute.SendPsn(0x100_0000)),
                        Profile.CONNECTX_5,
                        PORT))
                .hasMessageContaining("SQ_PSN is 16777216; 0 to 16777215 is allowed");
    }

    // rule qp-attribute-values
    @Test
    void aPathMtuAboveThePortsIsRefused() {
        LocalPort narrow = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                        .withMaxMtu(PathMtu.BYTES_4096)
                        .withGidTableLength(4)
                        .withPkeyTableLength(4))
                .withActiveMtu(PathMtu.BYTES_1024)
                .withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1)))
                .withPkeyTable(List.of(0xFFFF)));
        List<QpAttribute> attributes = Rig.TERMS
                .withMtu(PathMtu.BYTES_2048)
                .toRtr(Gid.ofIpv4(10, 0, 0, 2), 0x22)
                .attributes();
        assertThatThrownBy(() -> StateTable.RC.check(QpState.INIT, QpState.RTR, attributes, Profile.CONNECTX_5, narrow))
                .hasMessageContaining("PATH_MTU is 2048; 256 to 1024 is allowed");
    }

    // rule qp-modify-whole
    @Test
    void aRefusedModifyChangesNothing() {
        Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
        RcConnection attributes = RcConnection.DEFAULT;
        side.machine.modify(attributes.toInit(), side.turn);
        assertThatThrownBy(
                        () -> side.machine.modify(QpModify.to(QpState.RTR, new QpAttribute.ReceivePsn(77)), side.turn))
                .isInstanceOf(VerbsException.class);
        assertThat(side.machine.state()).isEqualTo(QpState.INIT);
        assertThat(side.machine.snapshot().receivePsn()).isZero();
    }

    @Test
    void aDerivedTableHasTheSameRowsAndItsAdditions() {
        StateTable own = StateTable.UC.named("XC").with(QpState.INIT, QpState.RTR, Set.of(), Set.of());
        own.check(QpState.INIT, QpState.RTR, List.of(), Profile.CONNECTX_5, PORT);
        assertThat(own.rule(QpState.RTR, QpState.RTS)).isEqualTo(StateTable.UC.rule(QpState.RTR, QpState.RTS));
        assertThatThrownBy(() -> own.check(QpState.RTS, QpState.INIT, List.of(), Profile.CONNECTX_5, PORT))
                .hasMessageContaining("XC can't change from RTS to INIT");
        assertThatThrownBy(() -> StateTable.UC.check(QpState.INIT, QpState.RTR, List.of(), Profile.CONNECTX_5, PORT))
                .hasMessageContaining("INIT to RTR requires");
    }

    // rule qp-current-state
    @Test
    void aCurrentStateThatIsNotTheStateIsRefused() {
        List<QpAttribute> believed = List.of(new QpAttribute.CurrentState(QpState.RTS));
        StateTable.RC.check(QpState.RTS, QpState.RTS, believed, Profile.CONNECTX_5, PORT);
        assertThatThrownBy(() -> StateTable.RC.check(QpState.SQD, QpState.RTS, believed, Profile.CONNECTX_5, PORT))
                .hasMessageContaining("CUR_STATE is RTS but the queue pair is in SQD");
    }

    @Test
    void anAttributeGivenTwiceIsRefused() {
        assertThatThrownBy(() -> StateTable.RC.check(
                        QpState.INIT,
                        QpState.INIT,
                        List.of(new QpAttribute.Port(1), new QpAttribute.Port(1)),
                        Profile.CONNECTX_5,
                        PORT))
                .hasMessageContaining("PORT is given twice");
    }
}
