// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.AccessFlags;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a reliable connection as seen by one end, with the usual defaults; the peer uses them {@link #reversed}. A
 * value that no adapter accepts is refused with EINVAL when it is set; a value that this adapter does not accept is refused
 * when it is used.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #DEFAULT}. Components are added in minor versions.
 */
public final class RcConnection {
    /**
     * MTU 1024, rights to write, read and do atomics, 16 outstanding READs or atomics, 67 ms timeout, 7 retries, 0.64 ms RNR
     * timer, PSN 0.
     */
    public static final RcConnection DEFAULT = new RcConnection(new Fields());

    private final Fields fields;

    private RcConnection(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new attributes exist. */
    private static final class Fields {
        private PathMtu mtu = PathMtu.BYTES_1024;
        private AccessFlags remoteAccess = AccessFlags.LOCAL_AND_REMOTE;
        private int rdAtomic = 16;
        private int timeoutCode = 14;
        private int retryCount = 7;
        private int rnrRetry = 7;
        private int minRnrTimerCode = 12;
        private int sendPsn;
        private int receivePsn;

        private Fields() {}

        private Fields(Fields other) {
            mtu = other.mtu;
            remoteAccess = other.remoteAccess;
            rdAtomic = other.rdAtomic;
            timeoutCode = other.timeoutCode;
            retryCount = other.retryCount;
            rnrRetry = other.rnrRetry;
            minRnrTimerCode = other.minRnrTimerCode;
            sendPsn = other.sendPsn;
            receivePsn = other.receivePsn;
        }
    }

    /** Maximum payload of a packet. */
    public PathMtu mtu() {
        return fields.mtu;
    }

    /** Rights of the peer's requests. */
    public AccessFlags remoteAccess() {
        return fields.remoteAccess;
    }

    /** Maximum outstanding READs and atomics, in both directions. */
    public int rdAtomic() {
        return fields.rdAtomic;
    }

    /** Local ACK timeout: 4.096 us x 2^code; 0 is infinite. */
    public int timeoutCode() {
        return fields.timeoutCode;
    }

    /** Retransmissions after a timeout or a sequence error. */
    public int retryCount() {
        return fields.retryCount;
    }

    /** Retransmissions after an RNR NAK; 7 is infinite. */
    public int rnrRetry() {
        return fields.rnrRetry;
    }

    /** Timer code of the RNR NAKs that the peer receives. */
    public int minRnrTimerCode() {
        return fields.minRnrTimerCode;
    }

    /** First PSN sent. */
    public int sendPsn() {
        return fields.sendPsn;
    }

    /** First PSN expected. */
    public int receivePsn() {
        return fields.receivePsn;
    }

    public RcConnection withMtu(PathMtu other) {
        return with(now -> now.mtu = other);
    }

    public RcConnection withRemoteAccess(AccessFlags other) {
        return with(now -> now.remoteAccess = other);
    }

    /** Sets the maximum outstanding READs and atomics in both directions: 0 to 255, limited by the adapter at use. */
    public RcConnection withRdAtomic(int max) {
        return with(now -> now.rdAtomic = AttributeRanges.rdAtomic(max));
    }

    /** Sets the local ACK timeout: 4.096 us x 2^code, 0 to 31; 0 is infinite. */
    public RcConnection withTimeoutCode(int code) {
        return with(now -> now.timeoutCode = AttributeRanges.timerCode("timeout code", code));
    }

    /**
     * Sets the local ACK timeout, rounded up to 4.096 us x 2^n with n from 1; EINVAL at once unless it is above 0 and at most 2
     * h 26 min 36 s (4.096 us x 2^31). {@code withTimeoutCode(0)} is infinite.
     */
    public RcConnection withTimeout(Duration min) {
        return withTimeoutCode(TimerCodes.timeout(min));
    }

    /** Sets the retransmissions after a timeout or a sequence error, 0 to 7. */
    public RcConnection withRetryCount(int count) {
        return with(now -> now.retryCount = AttributeRanges.retries("retry count", count));
    }

    /** Sets the retransmissions after an RNR NAK, 0 to 7; 7 is infinite. */
    public RcConnection withRnrRetry(int count) {
        return with(now -> now.rnrRetry = AttributeRanges.retries("RNR retry count", count));
    }

    /**
     * Sets the timer code of RNR NAKs, 0 to 31: how long the peer waits if no receive is posted; 0 is the longest (655.36 ms).
     */
    public RcConnection withMinRnrTimerCode(int code) {
        return with(now -> now.minRnrTimerCode = AttributeRanges.timerCode("RNR timer code", code));
    }

    /**
     * Sets the timer of RNR NAKs: how long the peer waits if no receive is posted. Rounded up to one of the 32 defined times,
     * each at most twice the one before; EINVAL at once unless it is above 0 and at most 655.36 ms.
     */
    public RcConnection withMinRnrTimer(Duration min) {
        return withMinRnrTimerCode(TimerCodes.minRnrTimer(min));
    }

    /** Sets the first PSN sent, 24 bits. */
    public RcConnection withSendPsn(int psn) {
        return with(now -> now.sendPsn = AttributeRanges.psn("first PSN sent", psn));
    }

    /** Sets the first PSN expected, 24 bits. */
    public RcConnection withReceivePsn(int psn) {
        return with(now -> now.receivePsn = AttributeRanges.psn("first PSN expected", psn));
    }

    /** Sets the same first PSN in both directions. */
    public RcConnection withFirstPsn(int psn) {
        return withSendPsn(psn).withReceivePsn(psn);
    }

    /** Returns the same attributes as the peer sees them. */
    public RcConnection reversed() {
        return withSendPsn(fields.receivePsn).withReceivePsn(fields.sendPsn);
    }

    /** Returns how long a request may wait before it completes with an error. */
    public WorstCase worstCase() {
        return WorstCase.of(this);
    }

    public QpModify toInit() {
        return QpModify.toInit(fields.remoteAccess);
    }

    public QpModify toRtr(Gid peer, int peerQp) {
        return new QpModify(
                QpState.RTR,
                List.of(
                        new QpAttribute.Av(AddressVector.to(peer)),
                        new QpAttribute.Mtu(fields.mtu),
                        new QpAttribute.DestinationQp(peerQp),
                        new QpAttribute.ReceivePsn(fields.receivePsn),
                        new QpAttribute.MaxDestRdAtomic(fields.rdAtomic),
                        new QpAttribute.MinRnrTimer(fields.minRnrTimerCode)));
    }

    /** RTR of an end that only sends requests. */
    public QpModify toRtrAsRequester(Gid peer, int peerQp) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(AddressVector.to(peer)),
                new QpAttribute.Mtu(fields.mtu),
                new QpAttribute.DestinationQp(peerQp),
                new QpAttribute.ReceivePsn(fields.receivePsn));
    }

    /** RTS of an end that only answers requests. */
    public QpModify toRtsAsResponder() {
        return QpModify.to(
                QpState.RTS, new QpAttribute.Timeout(fields.timeoutCode), new QpAttribute.SendPsn(fields.sendPsn));
    }

    public QpModify toRts() {
        return QpModify.to(
                QpState.RTS,
                new QpAttribute.Timeout(fields.timeoutCode),
                new QpAttribute.RetryCount(fields.retryCount),
                new QpAttribute.RnrRetry(fields.rnrRetry),
                new QpAttribute.SendPsn(fields.sendPsn),
                new QpAttribute.MaxRdAtomic(fields.rdAtomic));
    }

    /** RTS of an end that connects when it has something to send. */
    QpModify toRtsOnDemand() {
        List<QpAttribute> attributes = new ArrayList<>(toRts().attributes());
        attributes.add(new QpAttribute.MinRnrTimer(fields.minRnrTimerCode));
        return new QpModify(QpState.RTS, attributes);
    }

    private RcConnection with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new RcConnection(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RcConnection same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RcConnection" + values();
    }

    private List<Object> values() {
        return List.of(
                fields.mtu,
                fields.remoteAccess,
                fields.rdAtomic,
                fields.timeoutCode,
                fields.retryCount,
                fields.rnrRetry,
                fields.minRnrTimerCode,
                fields.sendPsn,
                fields.receivePsn);
    }
}
