// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;

// rule cm-services
/** Number that peers find at a port, with the key that they need for it. */
public sealed interface ServedNumber {
    /** First 4 bytes of the data of a reply that names a DC target ("DCT", version 1); the access key follows. */
    int DC_TARGET = 0x4443_5401;

    int DC_DATA = Integer.BYTES + Long.BYTES;

    /** Number of a queue pair for datagrams. */
    record Datagrams(int number, QKey qkey) implements ServedNumber {
        @Override
        public int qkeyOnWire() {
            return qkey.value();
        }

        @Override
        public Octets privateData() {
            return Octets.NONE;
        }

        @Override
        public long service(int port) {
            return datagramService(port);
        }

        @Override
        public String kind() {
            return "queue pair for datagrams";
        }
    }

    /** Number of a DC target. */
    record DcTargetNumber(int number, DcAccessKey accessKey) implements ServedNumber {
        @Override
        public int qkeyOnWire() {
            return 0;
        }

        @Override
        public Octets privateData() {
            byte[] data = ByteBuffer.allocate(DC_DATA)
                    .putInt(DC_TARGET)
                    .putLong(accessKey.value())
                    .array();
            return Octets.wrap(data, 0, data.length);
        }

        @Override
        public long service(int port) {
            return dcService(port);
        }

        @Override
        public String kind() {
            return "DC target";
        }
    }

    /** 24 bits. */
    int number();

    int qkeyOnWire();

    /** Data of the reply. */
    Octets privateData();

    /** Returns the service ID of the port. */
    long service(int port);

    /** Returns what has the number, in words. */
    String kind();

    /** Returns the service ID at which a queue pair for datagrams is found. */
    static long datagramService(int port) {
        return IpService.serviceId(IpService.UDP, port);
    }

    /** Returns the service ID at which a DC target is found. */
    static long dcService(int port) {
        return IpService.serviceId(IpService.IB, port);
    }

    /** Reads the reply of a port that names a queue pair for datagrams. */
    static DatagramAddress datagrams(Gid peer, ServiceReply reply) {
        return new DatagramAddress(peer, reply.qpNumber(), QKey.of(reply.qkey()));
    }

    /** Reads the reply of a port that names a DC target; empty if it names something else. */
    static Optional<DcTargetLocation> dcTarget(Gid peer, ServiceReply reply) {
        ByteBuffer data = ByteBuffer.wrap(reply.privateData().toArray());
        if (data.remaining() < DC_DATA || data.getInt() != DC_TARGET) {
            return Optional.empty();
        }
        return Optional.of(new DcTargetLocation(peer, reply.qpNumber(), DcAccessKey.of(data.getLong())));
    }
}
