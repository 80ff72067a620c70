// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    public static final RcConnection DEFAULT =
            new RcConnection(PathMtu.BYTES_1024, AccessFlags.LOCAL_AND_REMOTE, 16, 14, 7, 7, 12, 0, 0);

    private final PathMtu mtu;
    private final AccessFlags remoteAccess;
    private final int rdAtomic;
    private final int timeoutCode;
    private final int retryCount;
    private final int rnrRetry;
    private final int minRnrTimerCode;
    private final int sendPsn;
    private final int receivePsn;

    private RcConnection(
            PathMtu mtu,
            AccessFlags remoteAccess,
            int rdAtomic,
            int timeoutCode,
            int retryCount,
            int rnrRetry,
            int minRnrTimerCode,
            int sendPsn,
            int receivePsn) {
        this.mtu = mtu;
        this.remoteAccess = remoteAccess;
        this.rdAtomic = rdAtomic;
        this.timeoutCode = timeoutCode;
        this.retryCount = retryCount;
        this.rnrRetry = rnrRetry;
        this.minRnrTimerCode = minRnrTimerCode;
        this.sendPsn = sendPsn;
        this.receivePsn = receivePsn;
    }

    /** Maximum payload of a packet. */
    public PathMtu mtu() {
        return mtu;
    }

    /** Rights of the peer's requests. */
    public AccessFlags remoteAccess() {
        return remoteAccess;
    }

    /** Maximum outstanding READs and atomics, in both directions. */
    public int rdAtomic() {
        return rdAtomic;
    }

    /** Local ACK timeout: 4.096 us x 2^code; 0 is infinite. */
    public int timeoutCode() {
        return timeoutCode;
    }

    /** Retransmissions after a timeout or a sequence error. */
    public int retryCount() {
        return retryCount;
    }

    /** Retransmissions after an RNR NAK; 7 is infinite. */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** Timer code of the RNR NAKs that the peer receives. */
    public int minRnrTimerCode() {
        return minRnrTimerCode;
    }

    /** First PSN sent. */
    public int sendPsn() {
        return sendPsn;
    }

    /** First PSN expected. */
    public int receivePsn() {
        return receivePsn;
    }

    public RcConnection withMtu(PathMtu other) {
        return new RcConnection(
                other, remoteAccess, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    public RcConnection withRemoteAccess(AccessFlags other) {
        return new RcConnection(
                mtu, other, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** Sets the maximum outstanding READs and atomics in both directions: 0 to 255, limited by the adapter at use. */
    public RcConnection withRdAtomic(int max) {
        return new RcConnection(
                mtu,
                remoteAccess,
                AttributeRanges.rdAtomic(max),
                timeoutCode,
                retryCount,
                rnrRetry,
                minRnrTimerCode,
                sendPsn,
                receivePsn);
    }

    /** Sets the local ACK timeout: 4.096 us x 2^code, 0 to 31; 0 is infinite. */
    public RcConnection withTimeoutCode(int code) {
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                AttributeRanges.timerCode("timeout code", code),
                retryCount,
                rnrRetry,
                minRnrTimerCode,
                sendPsn,
                receivePsn);
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
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                timeoutCode,
                AttributeRanges.retries("retry count", count),
                rnrRetry,
                minRnrTimerCode,
                sendPsn,
                receivePsn);
    }

    /** Sets the retransmissions after an RNR NAK, 0 to 7; 7 is infinite. */
    public RcConnection withRnrRetry(int count) {
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                timeoutCode,
                retryCount,
                AttributeRanges.retries("RNR retry count", count),
                minRnrTimerCode,
                sendPsn,
                receivePsn);
    }

    /**
     * Sets the timer code of RNR NAKs, 0 to 31: how long the peer waits if no receive is posted; 0 is the longest (655.36 ms).
     */
    public RcConnection withMinRnrTimerCode(int code) {
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                timeoutCode,
                retryCount,
                rnrRetry,
                AttributeRanges.timerCode("RNR timer code", code),
                sendPsn,
                receivePsn);
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
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                timeoutCode,
                retryCount,
                rnrRetry,
                minRnrTimerCode,
                AttributeRanges.psn("first PSN sent", psn),
                receivePsn);
    }

    /** Sets the first PSN expected, 24 bits. */
    public RcConnection withReceivePsn(int psn) {
        return new RcConnection(
                mtu,
                remoteAccess,
                rdAtomic,
                timeoutCode,
                retryCount,
                rnrRetry,
                minRnrTimerCode,
                sendPsn,
                AttributeRanges.psn("first PSN expected", psn));
    }

    /** Sets the same first PSN in both directions. */
    public RcConnection withFirstPsn(int psn) {
        return withSendPsn(psn).withReceivePsn(psn);
    }

    /** Returns the same attributes as the peer sees them. */
    public RcConnection reversed() {
        return withSendPsn(receivePsn).withReceivePsn(sendPsn);
    }

    public QpModify toInit() {
        return QpModify.toInit(remoteAccess);
    }

    public QpModify toRtr(Gid peer, int peerQp) {
        return new QpModify(
                QpState.RTR,
                List.of(
                        new QpAttribute.Av(AddressVector.to(peer)),
                        new QpAttribute.Mtu(mtu),
                        new QpAttribute.DestinationQp(peerQp),
                        new QpAttribute.ReceivePsn(receivePsn),
                        new QpAttribute.MaxDestRdAtomic(rdAtomic),
                        new QpAttribute.MinRnrTimer(minRnrTimerCode)));
    }

    /** RTR of an end that only sends requests. */
    public QpModify toRtsAsRequester(Gid peer, int peerQp) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(AddressVector.to(peer)),
                new QpAttribute.Mtu(mtu),
                new QpAttribute.DestinationQp(peerQp),
                new QpAttribute.ReceivePsn(receivePsn));
    }

    /** RTS of an end that only answers requests. */
    public QpModify toRtrAsResponder() {
        return QpModify.to(QpState.RTS, new QpAttribute.Timeout(timeoutCode), new QpAttribute.SendPsn(sendPsn));
    }

    public QpModify toRts() {
        return QpModify.to(
                QpState.RTS,
                new QpAttribute.Timeout(timeoutCode),
                new QpAttribute.RetryCount(retryCount),
                new QpAttribute.RnrRetry(rnrRetry),
                new QpAttribute.SendPsn(sendPsn),
                new QpAttribute.MaxRdAtomic(rdAtomic));
    }

    /** RTS of an end that connects when it has something to send. */
    QpModify toReadyToConnect() {
        List<QpAttribute> attributes = new ArrayList<>(toRts().attributes());
        attributes.add(new QpAttribute.MinRnrTimer(minRnrTimerCode));
        return new QpModify(QpState.RTS, attributes);
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
                mtu, remoteAccess, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }
}
