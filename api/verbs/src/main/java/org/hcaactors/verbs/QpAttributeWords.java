// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;

/** Attributes of a queue pair ({@code struct ibv_qp_attr}) as words of the contract. */
final class QpAttributeWords {
    /** Attributes that no adapter here lets change: sizes, as on mlx5, and the rate of a send queue. */
    private static final int FIXED = Calls.QpMask.CAP | Calls.QpMask.RATE_LIMIT;

    private static final int PSN_MASK = 0xFF_FFFF;

    private QpAttributeWords() {}

    /**
     * Reads a change.
     *
     * @param mask as {@code enum ibv_qp_attr_mask}
     * @param now state of the queue pair, which it keeps unless the mask has another
     */
    static QpModify read(Block words, long mask, QpState now) {
        List<QpAttribute> all = new ArrayList<>();
        for (long rest = mask & ~Calls.QpMask.STATE; rest != 0; rest &= rest - 1) {
            all.add(attribute(words, Long.lowestOneBit(rest), mask));
        }
        return new QpModify((mask & Calls.QpMask.STATE) == 0 ? now : state(words, Calls.QpAttributes.QP_STATE), all);
    }

    private static QpAttribute attribute(Block words, long bit, long mask) {
        if (bit != (int) bit) {
            throw unknown(bit, mask);
        }
        return switch ((int) bit) {
            case Calls.QpMask.CUR_STATE -> new QpAttribute.CurrentState(state(words, Calls.QpAttributes.CUR_QP_STATE));
            case Calls.QpMask.EN_SQD_ASYNC_NOTIFY ->
                new QpAttribute.NotifyWhenDrained(words.isSet(Calls.QpAttributes.EN_SQD_ASYNC_NOTIFY));
            case Calls.QpMask.ACCESS_FLAGS ->
                new QpAttribute.RemoteAccess(Rights.read(words.word(Calls.QpAttributes.QP_ACCESS_FLAGS)));
            case Calls.QpMask.PKEY_INDEX -> new QpAttribute.PkeyIndex(words.number(Calls.QpAttributes.PKEY_INDEX));
            case Calls.QpMask.PORT -> new QpAttribute.Port(words.number(Calls.QpAttributes.PORT_NUM));
            case Calls.QpMask.QKEY -> new QpAttribute.Qkey(QKey.of(words.number(Calls.QpAttributes.QKEY)));
            case Calls.QpMask.AV -> new QpAttribute.Av(PathWords.read(words.from(Calls.QpAttributes.AH_ATTR)));
            case Calls.QpMask.PATH_MTU -> new QpAttribute.Mtu(mtu(words.word(Calls.QpAttributes.PATH_MTU)));
            case Calls.QpMask.TIMEOUT -> new QpAttribute.Timeout(words.number(Calls.QpAttributes.TIMEOUT));
            case Calls.QpMask.RETRY_CNT -> new QpAttribute.RetryCount(words.number(Calls.QpAttributes.RETRY_CNT));
            case Calls.QpMask.RNR_RETRY -> new QpAttribute.RnrRetry(words.number(Calls.QpAttributes.RNR_RETRY));
            case Calls.QpMask.RQ_PSN -> new QpAttribute.ReceivePsn(psn(words, Calls.QpAttributes.RQ_PSN));
            case Calls.QpMask.SQ_PSN -> new QpAttribute.SendPsn(psn(words, Calls.QpAttributes.SQ_PSN));
            case Calls.QpMask.MAX_QP_RD_ATOMIC ->
                new QpAttribute.MaxRdAtomic(words.number(Calls.QpAttributes.MAX_RD_ATOMIC));
            case Calls.QpMask.MAX_DEST_RD_ATOMIC ->
                new QpAttribute.MaxDestRdAtomic(words.number(Calls.QpAttributes.MAX_DEST_RD_ATOMIC));
            case Calls.QpMask.ALT_PATH ->
                new QpAttribute.AlternatePath(PathWords.read(words.from(Calls.QpAttributes.ALT_AH_ATTR)));
            case Calls.QpMask.MIN_RNR_TIMER ->
                new QpAttribute.MinRnrTimer(words.number(Calls.QpAttributes.MIN_RNR_TIMER));
            case Calls.QpMask.PATH_MIG_STATE ->
                new QpAttribute.MigrationState(words.word(Calls.QpAttributes.PATH_MIG_STATE) != Calls.Mig.MIGRATED);
            case Calls.QpMask.DEST_QPN -> new QpAttribute.DestinationQp(words.number(Calls.QpAttributes.DEST_QP_NUM));
            case Calls.QpMask.CAP, Calls.QpMask.RATE_LIMIT ->
                throw VerbsException.invalid(
                        "the attributes 0x%x contain 0x%x, which do not change".formatted(mask, mask & FIXED));
            default -> throw unknown(bit, mask);
        };
    }

    private static VerbsException unknown(long bit, long mask) {
        return VerbsException.invalid("the attributes 0x%x contain 0x%x, which is none".formatted(mask, bit));
    }

    /** Returns a packet sequence number: libibverbs ignores what is above 24 bits. */
    private static int psn(Block words, int index) {
        return words.number(index) & PSN_MASK;
    }

    private static QpState state(Block words, int index) {
        long code = words.word(index);
        QpState[] all = QpState.values();
        if (code < 0 || code >= all.length) {
            throw VerbsException.invalid("the state is " + code + "; 0 to " + (all.length - 1) + " is allowed");
        }
        return all[(int) code];
    }

    private static PathMtu mtu(long code) {
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.code() == code) {
                return mtu;
            }
        }
        throw VerbsException.invalid("the path MTU is " + code + "; 1 (256 bytes) to 5 (4096 bytes) is allowed");
    }

    /** Writes all attributes that were set, and the state; others are 0. */
    static void write(Block words, QpSnapshot snapshot) {
        words.clear(0, Calls.QpAttributes.WORDS);
        snapshot.attributes().forEach(attribute -> write(words, attribute));
        words.put(Calls.QpAttributes.QP_STATE, snapshot.state().ordinal());
        words.put(Calls.QpAttributes.CUR_QP_STATE, snapshot.state().ordinal());
        words.put(Calls.QpAttributes.SQ_DRAINING, snapshot.sqDraining());
        words.put(Calls.QpAttributes.SQ_PSN, snapshot.sendPsn());
        words.put(Calls.QpAttributes.RQ_PSN, snapshot.receivePsn());
        words.put(Calls.QpAttributes.MAX_RD_ATOMIC, snapshot.maxRdAtomic());
        words.put(Calls.QpAttributes.MAX_DEST_RD_ATOMIC, snapshot.maxDestRdAtomic());
    }

    private static void write(Block words, QpAttribute attribute) {
        switch (attribute) {
            case QpAttribute.PkeyIndex it -> words.put(Calls.QpAttributes.PKEY_INDEX, it.index());
            case QpAttribute.Port it -> words.put(Calls.QpAttributes.PORT_NUM, it.number());
            case QpAttribute.RemoteAccess it ->
                words.put(Calls.QpAttributes.QP_ACCESS_FLAGS, it.access().bits());
            case QpAttribute.Av it -> PathWords.write(words.from(Calls.QpAttributes.AH_ATTR), it.address());
            case QpAttribute.Mtu it ->
                words.put(Calls.QpAttributes.PATH_MTU, it.mtu().code());
            case QpAttribute.DestinationQp it -> words.put(Calls.QpAttributes.DEST_QP_NUM, it.number());
            case QpAttribute.ReceivePsn it -> words.put(Calls.QpAttributes.RQ_PSN, it.psn());
            case QpAttribute.SendPsn it -> words.put(Calls.QpAttributes.SQ_PSN, it.psn());
            case QpAttribute.MaxDestRdAtomic it -> words.put(Calls.QpAttributes.MAX_DEST_RD_ATOMIC, it.count());
            case QpAttribute.MaxRdAtomic it -> words.put(Calls.QpAttributes.MAX_RD_ATOMIC, it.count());
            case QpAttribute.MinRnrTimer it -> words.put(Calls.QpAttributes.MIN_RNR_TIMER, it.code());
            case QpAttribute.Timeout it -> words.put(Calls.QpAttributes.TIMEOUT, it.code());
            case QpAttribute.RetryCount it -> words.put(Calls.QpAttributes.RETRY_CNT, it.count());
            case QpAttribute.RnrRetry it -> words.put(Calls.QpAttributes.RNR_RETRY, it.count());
            case QpAttribute.CurrentState it ->
                words.put(Calls.QpAttributes.CUR_QP_STATE, it.state().ordinal());
            case QpAttribute.NotifyWhenDrained it -> words.put(Calls.QpAttributes.EN_SQD_ASYNC_NOTIFY, it.requested());
            case QpAttribute.Qkey it ->
                words.putUnsigned(Calls.QpAttributes.QKEY, it.qkey().value());
            case QpAttribute.MigrationState it ->
                words.put(Calls.QpAttributes.PATH_MIG_STATE, it.armed() ? Calls.Mig.REARM : Calls.Mig.MIGRATED);
            case QpAttribute.AlternatePath it -> {
                PathWords.write(words.from(Calls.QpAttributes.ALT_AH_ATTR), it.address());
                words.put(Calls.QpAttributes.ALT_PORT_NUM, it.address().port());
            }
        }
    }
}
