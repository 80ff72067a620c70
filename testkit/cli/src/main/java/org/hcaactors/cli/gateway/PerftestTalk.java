// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The talk between the two ends of a perftest: over TCP, or in SENDs over a connection of communication management. One thread.
 */
interface PerftestTalk extends Closeable {
    void write(byte[] message) throws IOException, InterruptedException;

    /** Waits for a message of that length. */
    byte[] read(int bytes) throws IOException, InterruptedException;

    /** Waits for keys or a number of a report; empty if the other end is done. */
    Optional<byte[]> next() throws IOException, InterruptedException;

    boolean isKeys(byte[] message);

    /** @throws PeerException if the message has no keys */
    PerftestKeys keys(byte[] message) throws PeerException;

    byte[] encode(PerftestKeys keys);

    /** Sets how long the other end may be silent. */
    void waitFor(Duration silence) throws IOException;

    /** Says that the client is done. */
    void tellDone();

    /** Waits until the other end has nothing more to say. */
    void awaitEnd() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
