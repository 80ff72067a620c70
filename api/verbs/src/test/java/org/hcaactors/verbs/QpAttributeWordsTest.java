// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QpAttributeWordsTest {
    /** One of each attribute that a query returns and a change takes. */
    private static final List<QpAttribute> ALL = List.of(
            new QpAttribute.PkeyIndex(3),
            new QpAttribute.Port(1),
            new QpAttribute.RemoteAccess(AccessFlags.of(Access.REMOTE_READ, Access.REMOTE_WRITE)),
            new QpAttribute.Av(path(2)),
            new QpAttribute.Mtu(PathMtu.BYTES_2048),
            new QpAttribute.DestinationQp(0x123456),
            new QpAttribute.MinRnrTimer(12),
            new QpAttribute.Timeout(14),
            new QpAttribute.RetryCount(6),
            new QpAttribute.RnrRetry(7),
            new QpAttribute.NotifyWhenDrained(true),
            new QpAttribute.Qkey(QKey.of(0x8001_1111)),
            new QpAttribute.MigrationState(true),
            new QpAttribute.AlternatePath(path(3)));

    private static final long ALL_BITS = Calls.QpMask.PKEY_INDEX
            | Calls.QpMask.PORT
            | Calls.QpMask.ACCESS_FLAGS
            | Calls.QpMask.AV
            | Calls.QpMask.PATH_MTU
            | Calls.QpMask.DEST_QPN
            | Calls.QpMask.MIN_RNR_TIMER
            | Calls.QpMask.TIMEOUT
            | Calls.QpMask.RETRY_CNT
            | Calls.QpMask.RNR_RETRY
            | Calls.QpMask.EN_SQD_ASYNC_NOTIFY
            | Calls.QpMask.QKEY
            | Calls.QpMask.PATH_MIG_STATE
            | Calls.QpMask.ALT_PATH;

    private final Words words = new Words();

    private static AddressVector path(int host) {
        return AddressVector.to(GlobalRoute.to(Gid.ofIpv4(127, 0, 0, host))
                .withSourceGidIndex(1)
                .withFlowLabel(0xABCDE)
                .withHopLimit(9)
                .withTrafficClass(0x60));
    }

    @Test
    void attributesThatAreQueriedCanBeSetAgain() {
        QpAttributeWords.write(words.block(), QpSnapshot.of(QpState.RTS).withAttributes(ALL));
        QpModify change = QpAttributeWords.read(words.block(), ALL_BITS, QpState.SQD);

        assertThat(change.target()).isEqualTo(QpState.SQD);
        assertThat(change.attributes()).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void aStateInTheMaskIsTheTarget() {
        words.block().put(Calls.QpAttributes.QP_STATE, Calls.QpState.RTR);

        assertThat(QpAttributeWords.read(words.block(), Calls.QpMask.STATE, QpState.INIT))
                .isEqualTo(QpModify.to(QpState.RTR));
    }

    @Test
    void sequenceNumbersHave24Bits() {
        words.block().put(Calls.QpAttributes.SQ_PSN, 0x1234_5678L);

        assertThat(QpAttributeWords.read(words.block(), Calls.QpMask.SQ_PSN, QpState.RTR)
                        .attributes())
                .containsExactly(new QpAttribute.SendPsn(0x34_5678));
    }

    @Test
    void flowLabelsHave20Bits() {
        words.block().put(Calls.QpAttributes.AH_ATTR + Calls.Path.IS_GLOBAL, 1);
        words.block().put(Calls.QpAttributes.AH_ATTR + Calls.Path.FLOW_LABEL, 0xFFFF_FFFEL);
        AddressVector path = PathWords.read(words.block().from(Calls.QpAttributes.AH_ATTR));

        assertThat(path.route().orElseThrow().flowLabel()).isEqualTo(0xF_FFFE);
    }

    @Test
    void aQueryOverwritesAllWords() {
        for (int index = 0; index < Calls.QpAttributes.WORDS; index++) {
            words.block().put(index, -1);
        }
        QpAttributeWords.write(words.block(), QpSnapshot.of(QpState.RESET));

        for (int index = 0; index < Calls.QpAttributes.WORDS; index++) {
            assertThat(words.block().word(index)).as("word %d", index).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Calls.QpMask.CAP, Calls.QpMask.RATE_LIMIT, 1L << 21, 1L << 40, Long.MIN_VALUE})
    void attributesThatDoNotChangeAreInvalid(long mask) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> QpAttributeWords.read(words.block(), mask, QpState.RTS))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void anUnknownStateIsInvalid() {
        words.block().put(Calls.QpAttributes.QP_STATE, Calls.QpState.UNKNOWN);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> QpAttributeWords.read(words.block(), Calls.QpMask.STATE, QpState.RTS))
                .withMessageContaining("the state is 7; 0 to 6 is allowed");
    }
}
