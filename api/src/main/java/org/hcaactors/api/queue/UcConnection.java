package org.hcaactors.api.queue;

import java.util.List;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.memory.AccessFlags;

/**
 * What two ends of an unreliable connection agree on.
 *
 * @param mtu payload bytes of a packet
 * @param remoteAccess what the peer's requests may do
 * @param firstPsn first PSN of either direction
 */
public record UcConnection(PathMtu mtu, AccessFlags remoteAccess, int firstPsn) {
    /** MTU 1024, all remote rights, PSN 0. */
    public static final UcConnection DEFAULT = new UcConnection(PathMtu.BYTES_1024, AccessFlags.ALL, 0);

    public UcConnection withMtu(PathMtu other) {
        return new UcConnection(other, remoteAccess, firstPsn);
    }

    public UcConnection withRemoteAccess(AccessFlags other) {
        return new UcConnection(mtu, other, firstPsn);
    }

    public UcConnection withFirstPsn(int psn) {
        return new UcConnection(mtu, remoteAccess, psn);
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
                        new QpAttribute.ReceivePsn(firstPsn)));
    }

    public QpModify toReadyToSend() {
        return QpModify.to(QpState.RTS, new QpAttribute.SendPsn(firstPsn));
    }
}
