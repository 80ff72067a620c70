// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The peer of a recorded cable, in a running network. Any thread.
 *
 * <p>Numbers of this side differ from the recorded ones. The cable learns them from connection management, from datagrams, and
 * from keys and addresses in messages; {@link #exchange} and {@link #translate} tell those that programs exchange otherwise.
 */
public interface RecordedPeer {
    /** Returns the address of the peer. */
    InetAddress address();

    /** Returns the recorded connections and pairs of datagram queue pairs, in the order of their first packets. */
    List<RecordedQueuePair> queuePairs();

    /**
     * Lets the peer begin, if the recording begins with a packet of the peer: call it when your program listens. A recording
     * that begins with a packet of this side begins when that packet comes.
     */
    void start();

    /**
     * Tells what a program tells its peer over TCP: its queue pair number and the first PSN that it sends.
     *
     * @param end one of {@link #queuePairs}
     * @param number 24 bits
     * @param firstPsn 24 bits
     */
    void exchange(RecordedQueuePair end, int number, int firstPsn);

    /** Tells the queue pair number; the first PSN that this side sends is the recorded one. */
    default void exchange(RecordedQueuePair end, int number) {
        exchange(end, number, end.firstPsn());
    }

    /**
     * Lets the peer's requests name other memory of this side than the recorded one.
     *
     * @param recorded one of {@link RecordedQueuePair#memory}
     * @param rkey key of the memory
     * @param address in place of the recorded one; memory behind it follows
     */
    void translate(RecordedMemory recorded, int rkey, long address);

    /** Returns how far the peer has come. */
    Replay replay();

    /**
     * Returns a stage that completes when the replay is {@link Replay.Complete} or {@link Replay.Stopped}, on a thread of the
     * network: actions on it must not block.
     */
    CompletionStage<Replay> end();
}
