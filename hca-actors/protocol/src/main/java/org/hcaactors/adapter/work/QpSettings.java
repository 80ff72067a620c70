// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.mutation.MutationPoint;

/** Attribute values of one queue pair, as set by {@code ibv_modify_qp} so far. Plain data of its machine. */
public final class QpSettings {
    private static final int INFINITE_RETRIES = 7;

    final int number;
    public final int domain;
    final boolean signalAll;

    public int pkeyIndex;
    public AccessFlags remoteAccess = AccessFlags.NONE;

    public int qkey;
    public int mtuBytes = PathMtu.BYTES_1024.bytes();
    public int destinationQp;
    public int receivePsn;
    public int sendPsn;

    /** At most 255: a profile allows no more. */
    public short maxDestRdAtomic;

    public short maxRdAtomic;

    /** Timer codes of 5 bits and counts of 3 bits. */
    public byte minRnrTimer;

    byte timeoutCode;
    public byte retryCount;
    public byte rnrRetry;

    @MutationPoint("qp-settings.notify-when-drained")
    public boolean notifyWhenDrained;

    /** Kinds of attributes that were set since RESET, a bit for each. */
    private int given;

    public QpSettings(int number, int domain, boolean signalAll) {
        this.number = number;
        this.domain = domain;
        this.signalAll = signalAll;
    }

    /** 4.096 us x 2^code; 0 waits forever (rule rc-timeout). */
    public long timeoutNanos() {
        return timeoutCode == 0 ? 0 : 4096L << timeoutCode;
    }

    // rule rc-retry-seven
    /**
     * True if there is no retry limit.
     *
     * @param sevenIsInfinite whether the adapter treats a retry count of 7 as unlimited
     */
    public boolean hasInfiniteRetries(boolean sevenIsInfinite) {
        return sevenIsInfinite && retryCount == INFINITE_RETRIES;
    }

    // rule rc-rnr-count
    /** True if there is no RNR retry limit. */
    public boolean hasInfiniteRnrRetries() {
        return rnrRetry == INFINITE_RETRIES;
    }

    public static Set<AttributeKind> kinds(List<QpAttribute> attributes) {
        Set<AttributeKind> kinds = EnumSet.noneOf(AttributeKind.class);
        for (QpAttribute attribute : attributes) {
            if (!kinds.add(AttributeKind.of(attribute))) {
                throw VerbsException.invalid("attribute " + AttributeKind.of(attribute) + " is given twice");
            }
        }
        return kinds;
    }

    /** Applies values that were checked. */
    public void apply(List<QpAttribute> attributes) {
        for (QpAttribute attribute : attributes) {
            given |= bit(AttributeKind.of(attribute));
            apply(attribute);
        }
    }

    private static int bit(AttributeKind kind) {
        return 1 << kind.ordinal();
    }

    // rule qp-query
    /** Forgets which attributes were set, since the queue pair is in RESET. */
    public void reset() {
        given = 0;
    }

    // rule qp-query
    /**
     * Returns the attributes set since RESET, as they are now.
     *
     * @param path the path to the peer, if there is one
     */
    public List<QpAttribute> attributes(Optional<AddressVector> path) {
        return Stream.of(AttributeKind.values())
                .filter(kind -> (given & bit(kind)) != 0)
                .flatMap(kind -> now(kind, path).stream())
                .toList();
    }

    private Optional<QpAttribute> now(AttributeKind kind, Optional<AddressVector> path) {
        return switch (kind) {
            case ACCESS_FLAGS -> Optional.of(new QpAttribute.RemoteAccess(remoteAccess));
            case PKEY_INDEX -> Optional.of(new QpAttribute.PkeyIndex(pkeyIndex));
            case PORT -> Optional.of(new QpAttribute.Port(1));
            case QKEY -> Optional.of(new QpAttribute.Qkey(QKey.of(qkey)));
            case AV -> path.map(QpAttribute.Av::new);
            case PATH_MTU -> Optional.of(new QpAttribute.Mtu(mtu()));
            case TIMEOUT -> Optional.of(new QpAttribute.Timeout(timeoutCode));
            case RETRY_CNT -> Optional.of(new QpAttribute.RetryCount(retryCount));
            case RNR_RETRY -> Optional.of(new QpAttribute.RnrRetry(rnrRetry));
            case MAX_QP_RD_ATOMIC -> Optional.of(new QpAttribute.MaxRdAtomic(maxRdAtomic));
            case MIN_RNR_TIMER -> Optional.of(new QpAttribute.MinRnrTimer(minRnrTimer));
            case MAX_DEST_RD_ATOMIC -> Optional.of(new QpAttribute.MaxDestRdAtomic(maxDestRdAtomic));
            case DEST_QPN -> Optional.of(new QpAttribute.DestinationQp(destinationQp));
            case CUR_STATE, EN_SQD_ASYNC_NOTIFY, RQ_PSN, SQ_PSN, ALT_PATH, PATH_MIG_STATE -> Optional.empty();
        };
    }

    private PathMtu mtu() {
        return Stream.of(PathMtu.values())
                .filter(mtu -> mtu.bytes() == mtuBytes)
                .findFirst()
                .orElseThrow();
    }

    private void apply(QpAttribute attribute) {
        switch (attribute) {
            case QpAttribute.PkeyIndex a -> pkeyIndex = a.index();
            case QpAttribute.RemoteAccess a -> remoteAccess = a.access();
            // Headers.toPeer handles it before anything changes, so that a path that the port does not have is refused.
            case QpAttribute.Av a -> {}
            case QpAttribute.Mtu a -> mtuBytes = a.mtu().bytes();
            case QpAttribute.DestinationQp a -> destinationQp = a.number();
            case QpAttribute.ReceivePsn a -> receivePsn = a.psn();
            case QpAttribute.SendPsn a -> sendPsn = a.psn();
            case QpAttribute.MaxDestRdAtomic a -> maxDestRdAtomic = (short) a.count();
            case QpAttribute.MaxRdAtomic a -> maxRdAtomic = (short) a.count();
            case QpAttribute.MinRnrTimer a -> minRnrTimer = (byte) a.code();
            case QpAttribute.Timeout a -> timeoutCode = (byte) a.code();
            case QpAttribute.RetryCount a -> retryCount = (byte) a.count();
            case QpAttribute.RnrRetry a -> rnrRetry = (byte) a.count();
            case QpAttribute.NotifyWhenDrained a -> notifyWhenDrained = a.requested();
            case QpAttribute.Port a -> {}
            case QpAttribute.CurrentState a -> {}
            case QpAttribute.AlternatePath a -> {}
            case QpAttribute.Qkey a -> qkey = a.qkey().value();
            case QpAttribute.MigrationState a -> {}
        }
    }

    /** Returns the state that the caller assumes (CUR_STATE), or the actual state if it names none. */
    public static QpState from(QpState actual, List<QpAttribute> attributes) {
        for (QpAttribute attribute : attributes) {
            if (attribute instanceof QpAttribute.CurrentState believed) {
                return believed.state();
            }
        }
        return actual;
    }
}
