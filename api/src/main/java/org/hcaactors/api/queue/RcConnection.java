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
 * What two ends agree on when they connect, as one of them has it, with the defaults of the classic examples; the other
 * has it {@link #reversed}. A value that no adapter takes is refused with EINVAL where it is given, one that this adapter does
 * not take when it is used.
 *
 * <p>Immutable, and made from {@link #DEFAULT} or another by what differs; components are added in minor versions.
 */
public final class RcConnection {
    /** MTU 1024, the rights to write, read and do atomics, 16 READs or atomics, 67 ms timeout, 7 retries, 0.64 ms RNR timer, PSN 0. */
    public static final RcConnection DEFAULT = new RcConnection(new Fields());

    private final Fields fields;

    private RcConnection(Fields fields) {
        this.fields = fields;
    }

    /** Only {@link #with} writes to them, before anybody has the terms that they are of. */
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

    /** Payload of a packet. */
    public PathMtu mtu() {
        return fields.mtu;
    }

    /** What the peer's requests may do. */
    public AccessFlags remoteAccess() {
        return fields.remoteAccess;
    }

    /** READs and atomics outstanding, both ways. */
    public int rdAtomic() {
        return fields.rdAtomic;
    }

    /** How long an answer is waited for: 4.096 us x 2^code; 0 is for ever. */
    public int timeoutCode() {
        return fields.timeoutCode;
    }

    /** How often it is sent again after a time-out or a sequence error. */
    public int retryCount() {
        return fields.retryCount;
    }

    /** How often it is sent again to a receiver that is not ready; 7 is for ever. */
    public int rnrRetry() {
        return fields.rnrRetry;
    }

    /** How long the peer is told to wait for a receive, by its code. */
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

    /** READs and atomics outstanding, both ways: 0 to 255, and to what the adapter has. */
    public RcConnection withRdAtomic(int max) {
        return with(now -> now.rdAtomic = AttributeRanges.rdAtomic(max));
    }

    /** How long an answer is waited for: 4.096 us x 2^code, 0 to 31; 0 is for ever. */
    public RcConnection withTimeoutCode(int code) {
        return with(now -> now.timeoutCode = AttributeRanges.timerCode("timeout code", code));
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
        return with(now -> now.retryCount = AttributeRanges.retries("retry count", count));
    }

    /** How often it is sent again to a receiver that is not ready, 0 to 7; 7 is for ever. */
    public RcConnection withRnrRetry(int count) {
        return with(now -> now.rnrRetry = AttributeRanges.retries("RNR retry count", count));
    }

    /** How long the peer is asked to wait while no receive is ready, 0 to 31; 0 is the longest (655.36 ms). */
    public RcConnection withMinRnrTimerCode(int code) {
        return with(now -> now.minRnrTimerCode = AttributeRanges.timerCode("RNR timer code", code));
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
        return with(now -> now.sendPsn = AttributeRanges.psn("first PSN sent", psn));
    }

    /** First PSN expected, 24 bits. */
    public RcConnection withReceivePsn(int psn) {
        return with(now -> now.receivePsn = AttributeRanges.psn("first PSN expected", psn));
    }

    /** The same first PSN both ways. */
    public RcConnection withFirstPsn(int psn) {
        return withSendPsn(psn).withReceivePsn(psn);
    }

    /** The same terms as the other end has them. */
    public RcConnection reversed() {
        return withSendPsn(fields.receivePsn).withReceivePsn(fields.sendPsn);
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

    /** The same of an end that is never asked. */
    public QpModify toRtsAsRequester(Gid peer, int peerQp) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(AddressVector.to(peer)),
                new QpAttribute.Mtu(fields.mtu),
                new QpAttribute.DestinationQp(peerQp),
                new QpAttribute.ReceivePsn(fields.receivePsn));
    }

    /** RTS of an end that never asks. */
    public QpModify toRtrAsResponder() {
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

    /** The same of an end that connects when it has something to send. */
    QpModify toReadyToConnect() {
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
