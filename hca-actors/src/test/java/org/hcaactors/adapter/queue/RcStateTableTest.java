package org.hcaactors.adapter.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of rc-protocol 2.1 that concern RC. */
class RcStateTableTest {
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

    private static QpAttribute sample(AttributeKind kind) {
        return switch (kind) {
            case CUR_STATE -> new QpAttribute.CurrentState(QpState.RTS);
            case EN_SQD_ASYNC_NOTIFY -> new QpAttribute.NotifyWhenDrained(true);
            case ACCESS_FLAGS -> new QpAttribute.RemoteAccess(AccessFlags.ALL);
            case PKEY_INDEX -> new QpAttribute.PkeyIndex(0);
            case PORT -> new QpAttribute.Port(1);
            case QKEY -> new QpAttribute.Qkey(7);
            case AV -> QpAttribute.AddressVector.to(Gid.ofIpv4(10, 0, 0, 2));
            case PATH_MTU -> new QpAttribute.Mtu(PathMtu.BYTES_1024);
            case TIMEOUT -> new QpAttribute.Timeout(14);
            case RETRY_CNT -> new QpAttribute.RetryCount(7);
            case RNR_RETRY -> new QpAttribute.RnrRetry(7);
            case RQ_PSN -> new QpAttribute.ReceivePsn(0);
            case MAX_QP_RD_ATOMIC -> new QpAttribute.MaxRdAtomic(1);
            case ALT_PATH -> new QpAttribute.AlternatePath(QpAttribute.AddressVector.to(Gid.ofIpv4(10, 0, 0, 3)));
            case MIN_RNR_TIMER -> new QpAttribute.MinRnrTimer(12);
            case SQ_PSN -> new QpAttribute.SendPsn(0);
            case MAX_DEST_RD_ATOMIC -> new QpAttribute.MaxDestRdAtomic(1);
            case DEST_QPN -> new QpAttribute.DestinationQp(17);
        };
    }

    private static void check(QpState from, QpState to, Set<AttributeKind> kinds) {
        List<QpAttribute> attributes = kinds.stream()
                .map(kind -> kind == AttributeKind.CUR_STATE ? new QpAttribute.CurrentState(from) : sample(kind))
                .collect(Collectors.toList());
        RcStateTable.check(from, to, attributes, Profile.CONNECTX_5.limits());
    }

    static List<List<QpState>> transitions() {
        return Arrays.stream(QpState.values())
                .flatMap(from -> Arrays.stream(QpState.values()).map(to -> List.of(from, to)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void onlyTheTransitionsOfTheTableAreLegal(List<QpState> pair) {
        boolean legal = LEGAL.contains(pair.get(0) + ">" + pair.get(1));
        assertThat(RcStateTable.rule(pair.get(0), pair.get(1)).isPresent()).isEqualTo(legal);
    }

    @ParameterizedTest(name = "{0} to {1} requires {2}, allows {3}")
    @CsvSource({
        "RESET, INIT, PKEY_INDEX PORT ACCESS_FLAGS, ''",
        "INIT, INIT, '', PKEY_INDEX PORT ACCESS_FLAGS",
        "INIT, RTR, AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER, ALT_PATH ACCESS_FLAGS PKEY_INDEX",
        "RTR, RTS, TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC, CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER",
        "RTS, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER",
        "RTS, SQD, '', EN_SQD_ASYNC_NOTIFY",
        "SQD, SQD, '', PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS"
                + " PKEY_INDEX MIN_RNR_TIMER",
        "SQD, RTS, '', CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER",
        "SQE, RTS, '', CUR_STATE ACCESS_FLAGS",
        "RTS, ERR, '', ''",
        "ERR, RESET, '', ''"
    })
    void eachTransitionTakesExactlyItsAttributes(QpState from, QpState to, String required, String optional) {
        Set<AttributeKind> needs = kinds(required);
        Set<AttributeKind> may = kinds(optional);
        check(from, to, needs);
        Set<AttributeKind> all = union(needs, may);
        check(from, to, all);
        for (AttributeKind missing : needs) {
            Set<AttributeKind> fewer = union(needs, Set.of());
            fewer.remove(missing);
            refused(from, to, fewer, missing.name());
        }
        for (AttributeKind extra : EnumSet.complementOf((EnumSet<AttributeKind>) all)) {
            if (extra != AttributeKind.CUR_STATE) {
                refused(from, to, union(needs, Set.of(extra)), extra.name());
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

    private static void refused(QpState from, QpState to, Set<AttributeKind> kinds, String named) {
        assertThatThrownBy(() -> check(from, to, kinds))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(named);
    }

    @Test
    void resetToErrorIsRefusedWithEinval() {
        refused(QpState.RESET, QpState.ERR, Set.of(), "RC does not go from RESET to ERR");
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "ERR"})
    void currentStateCanOnlyNameARunningState(QpState named) {
        assertThatThrownBy(() -> RcStateTable.check(
                        named, QpState.RTS, List.of(new QpAttribute.CurrentState(named)), Profile.CONNECTX_5.limits()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("CUR_STATE");
    }

    @Test
    void valuesOutOfRangeAreRefusedAndNamed() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a);
        List<QpAttribute> bad = List.of(
                new QpAttribute.Port(2),
                new QpAttribute.PkeyIndex(128),
                new QpAttribute.Timeout(32),
                new QpAttribute.RetryCount(8),
                new QpAttribute.RnrRetry(-1),
                new QpAttribute.MinRnrTimer(32),
                new QpAttribute.MaxRdAtomic(17),
                new QpAttribute.MaxDestRdAtomic(17));
        for (QpAttribute attribute : bad) {
            assertThatThrownBy(() -> rig.a.machine.modify(QpModify.to(QpState.SQD, attribute), rig.a))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("is allowed");
        }
    }

    @Test
    void aRefusedModifyChangesNothing() {
        Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
        RcConnection terms = RcConnection.DEFAULT;
        side.machine.modify(terms.toInit(), side);
        assertThatThrownBy(() -> side.machine.modify(QpModify.to(QpState.RTR, new QpAttribute.ReceivePsn(77)), side))
                .isInstanceOf(VerbsException.class);
        assertThat(side.machine.state()).isEqualTo(QpState.INIT);
        assertThat(side.machine.snapshot().receivePsn()).isZero();
    }

    @Test
    void anAttributeGivenTwiceIsRefused() {
        assertThatThrownBy(() -> RcStateTable.check(
                        QpState.INIT,
                        QpState.INIT,
                        List.of(new QpAttribute.Port(1), new QpAttribute.Port(1)),
                        Profile.CONNECTX_5.limits()))
                .hasMessageContaining("PORT is given twice");
    }
}
