package org.hcaactors.api.queue;

import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.AccessFlags;

/**
 * What two ends of an unreliable connection agree on, as one of them has it; the other has it {@link #reversed}.
 *
 * @param mtu payload bytes of a packet
 * @param remoteAccess what the peer's requests may do
 * @param sendPsn first PSN sent, 24 bits
 * @param receivePsn first PSN expected, 24 bits
 */
public record UcConnection(PathMtu mtu, AccessFlags remoteAccess, int sendPsn, int receivePsn) {
    /** MTU 1024, the rights to write, read and do atomics, PSN 0. */
    public static final UcConnection DEFAULT = new UcConnection(PathMtu.BYTES_1024, AccessFlags.LOCAL_AND_REMOTE, 0, 0);

    public UcConnection withMtu(PathMtu other) {
        return new UcConnection(other, remoteAccess, sendPsn, receivePsn);
    }

    public UcConnection withRemoteAccess(AccessFlags other) {
        return new UcConnection(mtu, other, sendPsn, receivePsn);
    }

    /** The same first PSN both ways. */
    public UcConnection withFirstPsn(int psn) {
        return withFirstPsn(psn, psn);
    }

    /** A first PSN for what is sent, and one for what is received. */
    public UcConnection withFirstPsn(int send, int receive) {
        return new UcConnection(mtu, remoteAccess, send, receive);
    }

    /** The same terms as the other end has them. */
    public UcConnection reversed() {
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
                        new QpAttribute.ReceivePsn(receivePsn)));
    }

    public QpModify toReadyToSend() {
        return QpModify.to(QpState.RTS, new QpAttribute.SendPsn(sendPsn));
    }
}
