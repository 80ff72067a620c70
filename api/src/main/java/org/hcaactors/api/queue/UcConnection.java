// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.AccessFlags;
import org.jspecify.annotations.Nullable;

/**
 * What two ends of an unreliable connection agree on, as one of them has it; the other has it {@link #reversed}. A PSN of
 * more than 24 bits is refused with EINVAL where it is given.
 *
 * <p>Immutable, and made from {@link #DEFAULT} or another by what differs; components are added in minor versions.
 */
public final class UcConnection {
    /** MTU 1024, the rights to write, read and do atomics, PSN 0. */
    public static final UcConnection DEFAULT = new UcConnection(PathMtu.BYTES_1024, AccessFlags.LOCAL_AND_REMOTE, 0, 0);

    private final PathMtu mtu;
    private final AccessFlags remoteAccess;
    private final int sendPsn;
    private final int receivePsn;

    private UcConnection(PathMtu mtu, AccessFlags remoteAccess, int sendPsn, int receivePsn) {
        this.mtu = mtu;
        this.remoteAccess = remoteAccess;
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

    /** First PSN sent. */
    public int sendPsn() {
        return sendPsn;
    }

    /** First PSN expected. */
    public int receivePsn() {
        return receivePsn;
    }

    public UcConnection withMtu(PathMtu other) {
        return new UcConnection(other, remoteAccess, sendPsn, receivePsn);
    }

    public UcConnection withRemoteAccess(AccessFlags other) {
        return new UcConnection(mtu, other, sendPsn, receivePsn);
    }

    /** First PSN sent, 24 bits. */
    public UcConnection withSendPsn(int psn) {
        return new UcConnection(mtu, remoteAccess, AttributeRanges.psn("first PSN sent", psn), receivePsn);
    }

    /** First PSN expected, 24 bits. */
    public UcConnection withReceivePsn(int psn) {
        return new UcConnection(mtu, remoteAccess, sendPsn, AttributeRanges.psn("first PSN expected", psn));
    }

    /** The same first PSN both ways. */
    public UcConnection withFirstPsn(int psn) {
        return withSendPsn(psn).withReceivePsn(psn);
    }

    /** The same terms as the other end has them. */
    public UcConnection reversed() {
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
                        new QpAttribute.ReceivePsn(receivePsn)));
    }

    public QpModify toRts() {
        return QpModify.to(QpState.RTS, new QpAttribute.SendPsn(sendPsn));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UcConnection same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "UcConnection" + values();
    }

    private List<Object> values() {
        return List.of(mtu, remoteAccess, sendPsn, receivePsn);
    }
}
