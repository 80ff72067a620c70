// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Versions of perftest, with which its exchange begins. */
final class PerftestVersion {
    /** Size of the text with its zeros. */
    static final int BYTES = 16;

    /** The version whose exchange is spoken. Two programs of 6.28 or later also compare their options. */
    static final String OWN = "6.06";

    /** Versions before do not send all of the exchange. */
    private static final double OLDEST = 5.70;

    private PerftestVersion() {}

    static byte[] encode(String version) {
        return Arrays.copyOf(version.getBytes(StandardCharsets.US_ASCII), BYTES);
    }

    /** @throws PeerException for bytes that are no version, and for old versions */
    static String decode(byte[] bytes) throws PeerException {
        String version = Exchange.text(bytes);
        if (!version.matches("\\d{1,4}\\.\\d{1,4}") || Double.parseDouble(version) < OLDEST) {
            throw new PeerException("it sent no version of perftest from 5.70 on");
        }
        return version;
    }

    /** Returns the smaller of both versions: an end speaks no more than the other one. */
    static byte[] answer(String theirs) {
        return encode(Double.parseDouble(theirs) < Double.parseDouble(OWN) ? theirs : OWN);
    }
}
