// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A perftest's talk over TCP: keys are texts. */
record PerftestTcp(Exchange exchange) implements PerftestTalk {
    @Override
    public void write(byte[] message) throws IOException {
        exchange.write(message);
    }

    @Override
    public byte[] read(int bytes) throws IOException {
        return exchange.read(bytes);
    }

    @Override
    public Optional<byte[]> next() throws IOException {
        Optional<byte[]> begun = exchange.readUnlessEnded(Exchange.DONE.length);
        if (begun.isEmpty() || Arrays.equals(begun.get(), Exchange.DONE)) {
            return Optional.empty();
        }
        byte[] first = begun.get();
        int bytes = startsKeys(first) ? PerftestKeys.BYTES : Long.BYTES;
        byte[] rest = exchange.read(bytes - first.length);
        byte[] all = Arrays.copyOf(first, bytes);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return Optional.of(all);
    }

    /** Keys begin with a LID of 4 digits. */
    private static boolean startsKeys(byte[] message) {
        return new String(message, StandardCharsets.US_ASCII).matches("\\p{XDigit}{4}:");
    }

    @Override
    public boolean isKeys(byte[] message) {
        return message.length == PerftestKeys.BYTES;
    }

    @Override
    public PerftestKeys keys(byte[] message) throws PeerException {
        return PerftestKeys.decode(message);
    }

    @Override
    public byte[] encode(PerftestKeys keys) {
        return keys.encode();
    }

    @Override
    public void waitFor(Duration silence) throws IOException {
        exchange.waitFor(silence);
    }

    @Override
    public void tellDone() {
        exchange.tellDoneUnlessEnded();
    }

    @Override
    public void awaitEnd() throws IOException {
        exchange.awaitEnd();
    }

    @Override
    public void close() throws IOException {
        exchange.close();
    }
}
