// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;

/** Codec of MADs of class CM, big-endian (rules cm-mad, cm-messages). Reserved bits are ignored, and written as 0. */
public final class CmCodec {
    private static final byte BASE_VERSION = 1;
    private static final byte CLASS_CM = 7;
    private static final byte CLASS_VERSION = 2;
    private static final byte METHOD_SEND = 3;
    private static final int HEADER = 24;

    private CmCodec() {}

    // rule cm-mad
    /** Returns the datagram that a packet carries; empty if it carries none. */
    public static Optional<CmDatagram> decode(Packet packet) {
        boolean isBetweenGsi = packet.opcode() == Opcode.UD_SEND_ONLY
                && packet.bth().destQp() == CmDatagram.QP_NUMBER
                && packet.deth().qkey() == CmDatagram.QKEY;
        return isBetweenGsi ? decode(packet.payload()) : Optional.empty();
    }

    /** Decodes a MAD; empty if the bytes are none of class CM and of its version. */
    public static Optional<CmDatagram> decode(Octets payload) {
        if (payload.length() != CmDatagram.BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(payload.toArray());
        boolean isCm = in.get() == BASE_VERSION
                && in.get() == CLASS_CM
                && in.get() == CLASS_VERSION
                && in.get() == METHOD_SEND;
        in.getInt();
        long transactionId = in.getLong();
        Optional<CmAttribute> attribute = CmAttribute.of(in.getShort() & 0xFFFF);
        if (!isCm || attribute.isEmpty()) {
            return Optional.empty();
        }
        in.position(HEADER);
        return Optional.of(new CmDatagram(transactionId, read(in, attribute.get())));
    }

    private static CmMessage read(ByteBuffer in, CmAttribute attribute) {
        return switch (attribute) {
            case REQ -> request(in);
            case MRA -> {
                int local = in.getInt();
                int remote = in.getInt();
                int of = in.get() >> 6 & 3;
                yield new ReceiptAcknowledgment(local, remote, of, in.get() >> 3 & 0x1F, rest(in));
            }
            case REJ -> {
                int local = in.getInt();
                int remote = in.getInt();
                int of = in.get() >> 6 & 3;
                int length = in.get() >> 1 & 0x7F;
                int reason = in.getShort() & 0xFFFF;
                yield new ConnectReject(local, remote, of, reason, information(in, length), rest(in));
            }
            case REP -> reply(in);
            case RTU -> new ReadyToUse(in.getInt(), in.getInt(), rest(in));
            case DREQ -> new DisconnectRequest(in.getInt(), in.getInt(), in.getInt() >>> 8, rest(in));
            case DREP -> new DisconnectReply(in.getInt(), in.getInt(), rest(in));
            case SIDR_REQ -> {
                int id = in.getInt();
                int pkey = in.getInt() >>> 16;
                yield new ServiceRequest(id, pkey, in.getLong(), rest(in));
            }
            case SIDR_REP -> {
                int id = in.getInt();
                int status = in.get() & 0xFF;
                int length = in.get() & 0xFF;
                in.getShort();
                int qp = in.getInt() >>> 8;
                long service = in.getLong();
                int qkey = in.getInt();
                yield new ServiceReply(id, status, qp, service, qkey, information(in, length), rest(in));
            }
            case LAP -> {
                int local = in.getInt();
                int remote = in.getInt();
                in.getInt();
                int word = in.getInt();
                in.getInt();
                yield new LoadAlternatePath(local, remote, word >>> 8, word >>> 3 & 0x1F, path(in, true), rest(in));
            }
            case APR -> {
                int local = in.getInt();
                int remote = in.getInt();
                int length = in.get() & 0xFF;
                int status = in.get() & 0xFF;
                in.getShort();
                yield new AlternatePathResponse(local, remote, status, information(in, length), rest(in));
            }
        };
    }

    private static ConnectRequest request(ByteBuffer in) {
        int commId = in.getInt();
        in.getInt();
        long service = in.getLong();
        long guid = in.getLong();
        in.getInt();
        int qkey = in.getInt();
        int resources = in.getInt();
        int depth = in.getInt();
        int remoteTimeout = in.getInt();
        int psn = in.getInt();
        int pkey = in.getShort() & 0xFFFF;
        int mtu = in.get();
        int retries = in.get();
        CmPath primary = path(in, false);
        CmPath alternate = path(in, false);
        return new ConnectRequest(
                commId,
                service,
                guid,
                new QueuePairOffer(
                        resources >>> 8,
                        qkey,
                        psn >>> 8,
                        remoteTimeout >>> 1 & 3,
                        retries & 7,
                        (retries & 8) != 0,
                        pkey,
                        mtu >> 4 & 0xF),
                new ConnectionLimits(resources & 0xFF, depth & 0xFF, psn & 7, mtu & 7, (remoteTimeout & 1) != 0),
                remoteTimeout >>> 3 & 0x1F,
                psn >>> 3 & 0x1F,
                retries >> 4 & 0xF,
                primary,
                alternate,
                rest(in));
    }

    private static ConnectReply reply(ByteBuffer in) {
        int local = in.getInt();
        int remote = in.getInt();
        int qkey = in.getInt();
        int qp = in.getInt() >>> 8;
        in.getInt();
        int psn = in.getInt() >>> 8;
        int resources = in.get() & 0xFF;
        int depth = in.get() & 0xFF;
        int delay = in.get();
        int rnr = in.get();
        return new ConnectReply(
                local,
                remote,
                qkey,
                qp,
                psn,
                resources,
                depth,
                delay >> 3 & 0x1F,
                delay >> 1 & 3,
                (delay & 1) != 0,
                rnr >> 5 & 7,
                (rnr & 0x10) != 0,
                in.getLong(),
                rest(in));
    }

    /** A LAP has the fields behind the flow label in another order than a REQ. */
    private static CmPath path(ByteBuffer in, boolean ofLap) {
        int localLid = in.getShort() & 0xFFFF;
        int remoteLid = in.getShort() & 0xFFFF;
        PortAddress local = address(in);
        PortAddress remote = address(in);
        int flow = in.getInt();
        int first = in.get() & 0xFF;
        int second = in.get() & 0xFF;
        int level = in.get();
        int timeout = in.get();
        return new CmPath(
                localLid,
                remoteLid,
                local,
                remote,
                flow >>> 12,
                (ofLap ? second : flow) & 0x3F,
                ofLap ? flow & 0xFF : first,
                ofLap ? first : second,
                level >> 4 & 0xF,
                (level & 8) != 0,
                timeout >> 3 & 0x1F);
    }

    private static PortAddress address(ByteBuffer in) {
        return new PortAddress(in.getLong(), in.getLong());
    }

    private static Octets information(ByteBuffer in, int length) {
        Octets used = Octets.wrap(in.array(), in.position(), Math.min(length, CmDatagram.MAX_INFORMATION));
        in.position(in.position() + CmDatagram.MAX_INFORMATION);
        return used;
    }

    private static Octets rest(ByteBuffer in) {
        return Octets.wrap(in.array(), in.position(), in.remaining());
    }

    /** Encodes a MAD. */
    public static Octets encode(CmDatagram datagram) {
        CmMessage message = datagram.message();
        ByteBuffer out = ByteBuffer.allocate(CmDatagram.BYTES);
        out.put(BASE_VERSION).put(CLASS_CM).put(CLASS_VERSION).put(METHOD_SEND);
        out.putInt(0).putLong(datagram.transactionId());
        out.putShort((short) message.attribute().id()).putShort((short) 0).putInt(0);
        write(message, out);
        message.privateData().writeTo(out);
        return Octets.wrap(out.array(), 0, CmDatagram.BYTES);
    }

    private static void write(CmMessage message, ByteBuffer out) {
        switch (message) {
            case ConnectRequest m -> write(m, out);
            case ReceiptAcknowledgment m ->
                ids(m, out).put((byte) (m.of() << 6)).put((byte) (m.serviceTimeout() << 3));
            case ConnectReject m -> {
                ids(m, out).put((byte) (m.of() << 6)).put((byte)
                        (m.information().length() << 1));
                out.putShort((short) m.reason());
                information(m.information(), out);
            }
            case ConnectReply m -> write(m, out);
            case ReadyToUse m -> ids(m, out);
            case DisconnectRequest m -> ids(m, out).putInt(m.remoteQpn() << 8);
            case DisconnectReply m -> ids(m, out);
            case ServiceRequest m ->
                out.putInt(m.requestId()).putInt(m.pkey() << 16).putLong(m.serviceId());
            case ServiceReply m -> {
                out.putInt(m.requestId()).put((byte) m.status()).put((byte)
                        m.information().length());
                out.putShort((short) 0)
                        .putInt(m.qpNumber() << 8)
                        .putLong(m.serviceId())
                        .putInt(m.qkey());
                information(m.information(), out);
            }
            case LoadAlternatePath m -> {
                CmPath path = m.alternate();
                ids(m, out)
                        .putInt(0)
                        .putInt(m.remoteQpn() << 8 | m.remoteResponseTimeout() << 3)
                        .putInt(0);
                write(path, path.trafficClass(), path.hopLimit(), path.rate(), out);
            }
            case AlternatePathResponse m -> {
                ids(m, out)
                        .put((byte) m.information().length())
                        .put((byte) m.status())
                        .putShort((short) 0);
                information(m.information(), out);
            }
        }
    }

    private static ByteBuffer ids(CmMessage.ToKnownPeer message, ByteBuffer out) {
        return out.putInt(message.localCommId()).putInt(message.remoteCommId());
    }

    private static void write(ConnectRequest m, ByteBuffer out) {
        QueuePairOffer qp = m.queuePair();
        ConnectionLimits limits = m.limits();
        out.putInt(m.localCommId())
                .putInt(0)
                .putLong(m.serviceId())
                .putLong(m.caGuid())
                .putInt(0)
                .putInt(qp.qkey());
        out.putInt(qp.number() << 8 | limits.responderResources());
        out.putInt(limits.initiatorDepth());
        out.putInt(m.remoteResponseTimeout() << 3 | qp.transport() << 1 | (limits.flowControl() ? 1 : 0));
        out.putInt(qp.startingPsn() << 8 | m.localResponseTimeout() << 3 | limits.retryCount());
        out.putShort((short) qp.pkey()).put((byte) (qp.pathMtu() << 4 | limits.rnrRetryCount()));
        out.put((byte) (m.maxRetries() << 4 | (qp.srq() ? 8 : 0) | qp.extendedTransport()));
        writeOfRequest(m.primary(), out);
        writeOfRequest(m.alternate(), out);
    }

    private static void write(ConnectReply m, ByteBuffer out) {
        ids(m, out).putInt(m.qkey()).putInt(m.qpNumber() << 8).putInt(0).putInt(m.startingPsn() << 8);
        out.put((byte) m.responderResources()).put((byte) m.initiatorDepth());
        out.put((byte) (m.targetAckDelay() << 3 | m.failover() << 1 | (m.flowControl() ? 1 : 0)));
        out.put((byte) (m.rnrRetryCount() << 5 | (m.srq() ? 0x10 : 0))).putLong(m.caGuid());
    }

    private static void writeOfRequest(CmPath path, ByteBuffer out) {
        write(path, path.rate(), path.trafficClass(), path.hopLimit(), out);
    }

    /** @param last lowest bits of the word with the flow label */
    private static void write(CmPath path, int last, int first, int second, ByteBuffer out) {
        out.putShort((short) path.localLid()).putShort((short) path.remoteLid());
        out.putLong(path.local().high()).putLong(path.local().low());
        out.putLong(path.remote().high()).putLong(path.remote().low());
        out.putInt(path.flowLabel() << 12 | last).put((byte) first).put((byte) second);
        out.put((byte) (path.serviceLevel() << 4 | (path.subnetLocal() ? 8 : 0)));
        out.put((byte) (path.ackTimeout() << 3));
    }

    private static void information(Octets bytes, ByteBuffer out) {
        int end = out.position() + CmDatagram.MAX_INFORMATION;
        bytes.writeTo(out);
        out.position(end);
    }
}
