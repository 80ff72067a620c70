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
 * What two ends agree on when they connect, as one of them has it, with the defaults of the classic examples; the other
 * has it {@link #reversed}. A value that no adapter takes is refused with EINVAL where it is given, one that this adapter does
 * not take when it is used.
 *
 * <p>Immutable, and made from {@link #DEFAULT} or another by what differs; components are added in minor versions.
 */
public final class RcConnection {
    /** MTU 1024, the rights to write, read and do atomics, 16 READs or atomics, 67 ms timeout, 7 retries, 0.64 ms RNR timer, PSN 0. */
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

    /** Payload of a packet. */
    public PathMtu mtu() {
        return mtu;
    }

    /** What the peer's requests may do. */
    public AccessFlags remoteAccess() {
        return remoteAccess;
    }

    /** READs and atomics outstanding, both ways. */
    public int rdAtomic() {
        return rdAtomic;
    }

    /** How long an answer is waited for: 4.096 us x 2^code; 0 is for ever. */
    public int timeoutCode() {
        return timeoutCode;
    }

    /** How often it is sent again after a time-out or a sequence error. */
    public int retryCount() {
        return retryCount;
    }

    /** How often it is sent again to a receiver that is not ready; 7 is for ever. */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** How long the peer is told to wait for a receive, by its code. */
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

    /** READs and atomics outstanding, both ways: 0 to 255, and to what the adapter has. */
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

    /** How long an answer is waited for: 4.096 us x 2^code, 0 to 31; 0 is for ever. */
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
     * How long an answer is waited for, rounded up to 8.192 us or a doubling of it; EINVAL at once unless it is more than zero
     * and at most 2 h 26 min 36 s (4.096 us x 2^31). To wait for ever is {@code withTimeoutCode(0)}.
     */
    public RcConnection withTimeout(Duration min) {
        return withTimeoutCode(TimerCodes.timeout(min));
    }

    /** How often it is sent again after a time-out or a sequence error, 0 to 7. */
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

    /** How often it is sent again to a receiver that is not ready, 0 to 7; 7 is for ever. */
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

    /** How long the peer is asked to wait while no receive is ready, 0 to 31; 0 is the longest (655.36 ms). */
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
     * How long the peer is asked to wait while no receive is ready, rounded up to one of the 32 times that there are, of which
     * each is at most the double of the one before; EINVAL at once unless it is more than zero and at most 655.36 ms.
     */
    public RcConnection withMinRnrTimer(Duration min) {
        return withMinRnrTimerCode(TimerCodes.minRnrTimer(min));
    }

    /** First PSN sent, 24 bits. */
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

    /** First PSN expected, 24 bits. */
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

    /** The same first PSN both ways. */
    public RcConnection withFirstPsn(int psn) {
        return withSendPsn(psn).withReceivePsn(psn);
    }

    /** The same terms as the other end has them. */
    public RcConnection reversed() {
        return withSendPsn(receivePsn).withReceivePsn(sendPsn);
    }

    public QpModify toInit() {
        return QpModify.toInit(remoteAccess);
    }

    public QpModify toReadyToReceive(Gid peer, int peerQp) {
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

    /** The same of an end that is never asked. */
    public QpModify toReadyToAsk(Gid peer, int peerQp) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(AddressVector.to(peer)),
                new QpAttribute.Mtu(mtu),
                new QpAttribute.DestinationQp(peerQp),
                new QpAttribute.ReceivePsn(receivePsn));
    }

    /** RTS of an end that never asks. */
    public QpModify toReadyToAnswer() {
        return QpModify.to(QpState.RTS, new QpAttribute.Timeout(timeoutCode), new QpAttribute.SendPsn(sendPsn));
    }

    public QpModify toReadyToSend() {
        return QpModify.to(
                QpState.RTS,
                new QpAttribute.Timeout(timeoutCode),
                new QpAttribute.RetryCount(retryCount),
                new QpAttribute.RnrRetry(rnrRetry),
                new QpAttribute.SendPsn(sendPsn),
                new QpAttribute.MaxRdAtomic(rdAtomic));
    }

    /** The same of an end that connects when it has something to send. */
    QpModify toReadyToConnect() {
        List<QpAttribute> attributes = new ArrayList<>(toReadyToSend().attributes());
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
