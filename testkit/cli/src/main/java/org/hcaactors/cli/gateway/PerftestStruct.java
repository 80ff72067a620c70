// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.ByteBuffer;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Keys as perftest's programs send them in SENDs, in its {@code struct pingpong_dest}: numbers of the network's order, at the
 * places that a compiler for 64 bits gives them. From 6.29 on there is an address more, which is used for the validation of data
 * only.
 */
final class PerftestStruct {
    /** Size before 6.29. */
    static final int BYTES = 56;

    /** Size from 6.29 on. */
    static final int LONG_BYTES = 64;

    private PerftestStruct() {}

    static boolean isLength(int bytes) {
        return bytes == BYTES || bytes == LONG_BYTES;
    }

    /** @throws PeerException for bytes that are no keys */
    static PerftestKeys decode(byte[] bytes) throws PeerException {
        if (!isLength(bytes.length)) {
            throw new PeerException(
                    "it sent " + bytes.length + " bytes; keys of perftest have " + BYTES + " or " + LONG_BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int lid = in.getInt();
        int outstanding = in.getInt();
        int number = in.getInt();
        int psn = in.getInt();
        int rkey = in.getInt();
        in.getInt();
        long address = in.getLong();
        in.position(bytes.length - BYTES + in.position());
        Gid gid = new Gid(in.getLong(), in.getLong());
        return new PerftestKeys(outstanding, new QpAddress(lid, number, psn, gid), new RemoteAddress(rkey, address));
    }

    /** @param bytes size of the struct of the other end */
    static byte[] encode(PerftestKeys keys, int bytes) {
        QpAddress qp = keys.address();
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.putInt(qp.lid()).putInt(keys.outstanding()).putInt(qp.number()).putInt(qp.psn());
        out.putInt(keys.memory().rkey()).putInt(0).putLong(keys.memory().address());
        out.position(bytes - BYTES + out.position());
        out.putLong(qp.gid().high()).putLong(qp.gid().low());
        return out.array();
    }
}
