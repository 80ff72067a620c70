// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Arrays;
import org.hcaactors.api.address.PathMtu;

/** Path MTUs as perftest's programs send them: the code of verbs as a digit, with a zero. */
final class PerftestMtu {
    static final int BYTES = 2;

    private PerftestMtu() {}

    static byte[] encode(PathMtu mtu) {
        return new byte[] {digit(mtu), 0};
    }

    private static byte digit(PathMtu mtu) {
        return (byte) ('0' + mtu.code());
    }

    /**
     * Returns the smaller one of both ends.
     *
     * @throws PeerException if the other end sent no MTU
     */
    static PathMtu smaller(PathMtu own, byte[] theirs) throws PeerException {
        return Arrays.stream(PathMtu.values())
                .filter(known -> digit(known) == theirs[0])
                .map(known -> known.bytes() < own.bytes() ? known : own)
                .findFirst()
                .orElseThrow(() -> new PeerException("it sent no MTU"));
    }
}
