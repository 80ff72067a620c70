package org.hcaactors.api.queue;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.AccessFlags;

/**
 * What two ends agree on when they connect, as one of them has it, with the defaults of the classic examples; the other
 * has it {@link #reversed}.
 *
 * @param mtu payload bytes of a packet
 * @param remoteAccess what the peer's requests may do
 * @param rdAtomic READs and atomics outstanding, both ways
 * @param timeoutCode local ACK timeout, 4.096 us x 2^code
 * @param retryCount 0 to 7
 * @param rnrRetry 0 to 7; 7 is for ever
 * @param minRnrTimerCode 0 to 31
 * @param sendPsn first PSN sent, 24 bits
 * @param receivePsn first PSN expected, 24 bits
 */
public record RcConnection(
        PathMtu mtu,
        AccessFlags remoteAccess,
        int rdAtomic,
        int timeoutCode,
        int retryCount,
        int rnrRetry,
        int minRnrTimerCode,
        int sendPsn,
        int receivePsn) {
    /** MTU 1024, the rights to write, read and do atomics, 16 READs or atomics, 67 ms timeout, 7 retries, 0.64 ms RNR timer, PSN 0. */
    public static final RcConnection DEFAULT =
            new RcConnection(PathMtu.BYTES_1024, AccessFlags.LOCAL_AND_REMOTE, 16, 14, 7, 7, 12, 0, 0);

    public RcConnection withMtu(PathMtu other) {
        return new RcConnection(
                other, remoteAccess, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    public RcConnection withRemoteAccess(AccessFlags other) {
        return new RcConnection(
                mtu, other, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** How long an answer is waited for: 4.096 us x 2^code, 0 to 31; 0 is for ever. */
    public RcConnection withTimeoutCode(int code) {
        return new RcConnection(
                mtu, remoteAccess, rdAtomic, code, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** How often it is sent again after a time-out or a sequence error, 0 to 7. */
    public RcConnection withRetryCount(int count) {
        return new RcConnection(
                mtu, remoteAccess, rdAtomic, timeoutCode, count, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** How often it is sent again to a receiver that is not ready, 0 to 7; 7 is for ever. */
    public RcConnection withRnrRetry(int count) {
        return new RcConnection(
                mtu, remoteAccess, rdAtomic, timeoutCode, retryCount, count, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** How long the peer is asked to wait while no receive is ready, 0 to 31; 0 is the longest (655.36 ms). */
    public RcConnection withMinRnrTimerCode(int code) {
        return new RcConnection(
                mtu, remoteAccess, rdAtomic, timeoutCode, retryCount, rnrRetry, code, sendPsn, receivePsn);
    }

    public RcConnection withRdAtomic(int count) {
        return new RcConnection(
                mtu, remoteAccess, count, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, sendPsn, receivePsn);
    }

    /** The same first PSN both ways. */
    public RcConnection withFirstPsn(int psn) {
        return withFirstPsn(psn, psn);
    }

    /** A first PSN for what is sent, and one for what is received. */
    public RcConnection withFirstPsn(int send, int receive) {
        return new RcConnection(
                mtu, remoteAccess, rdAtomic, timeoutCode, retryCount, rnrRetry, minRnrTimerCode, send, receive);
    }

    /** The same terms as the other end has them. */
    public RcConnection reversed() {
        return withFirstPsn(receivePsn, sendPsn);
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

    public QpModify toReadyToSend() {
        return QpModify.to(
                QpState.RTS,
                new QpAttribute.Timeout(timeoutCode),
                new QpAttribute.RetryCount(retryCount),
                new QpAttribute.RnrRetry(rnrRetry),
                new QpAttribute.SendPsn(sendPsn),
                new QpAttribute.MaxRdAtomic(rdAtomic));
    }
}
