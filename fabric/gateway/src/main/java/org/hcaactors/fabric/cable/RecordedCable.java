// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;

/**
 * A capture in place of a peer: the packets that it sent then enter the fabric, each when this side has sent what it sent before
 * it in the capture. It has no real time, so a world of the testkit may have it, too.
 *
 * <p>Immutable.
 */
public final class RecordedCable implements Cable {
    /** Longest time between two packets, if nothing else is set; longer recorded times are cut. */
    public static final Duration DEFAULT_LONGEST_GAP = Duration.ofMillis(1);

    /** Time for which the peer waits for a packet of this side, if nothing else is set. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

    /** Longest time that can be set. */
    public static final Duration MAX_TIME = Duration.ofDays(1);

    private final String name;
    private final Recording recording;
    private final Duration longestGap;
    private final Duration patience;
    private final boolean comparesPayloads;

    private RecordedCable(
            String name, Recording recording, Duration longestGap, Duration patience, boolean comparesPayloads) {
        this.name = name;
        this.recording = recording;
        this.longestGap = longestGap;
        this.patience = patience;
        this.comparesPayloads = comparesPayloads;
    }

    /** Opens a capture. */
    @FunctionalInterface
    private interface Source {
        CaptureReader open() throws IOException;
    }

    static RecordedCable of(Path capture, InetAddress peer) {
        return of(
                Optional.ofNullable(capture.getFileName()).orElse(capture).toString(),
                () -> CaptureReader.open(capture),
                peer);
    }

    static RecordedCable of(byte[] capture, InetAddress peer) {
        return of(
                "a capture of " + capture.length + " bytes",
                () -> CaptureReader.open(new ByteArrayInputStream(capture)),
                peer);
    }

    private static RecordedCable of(String name, Source source, InetAddress peer) {
        try {
            Recording read = Recording.read(source.open(), Recording.portAddress(peer));
            return new RecordedCable(name, read, DEFAULT_LONGEST_GAP, DEFAULT_PATIENCE, false);
        } catch (IOException failed) {
            throw new CableException(name + " can't be played: " + failed.getMessage(), failed);
        }
    }

    /**
     * Sets the longest time between two packets, 0 to {@link #MAX_TIME}: recorded times are cut to it. A time as long as the
     * timeouts of this side makes it repeat what the peer did not answer yet.
     *
     * @throws IllegalArgumentException for another time
     */
    public RecordedCable withLongestGap(Duration other) {
        check("longest gap", other);
        return new RecordedCable(name, recording, other, patience, comparesPayloads);
    }

    /**
     * Sets how long the peer waits for a packet of this side before it stops, 0 to {@link #MAX_TIME}.
     *
     * @throws IllegalArgumentException for another time
     */
    public RecordedCable withPatience(Duration other) {
        check("patience", other);
        return new RecordedCable(name, recording, longestGap, other, comparesPayloads);
    }

    private static void check(String what, Duration time) {
        if (time.isNegative() || time.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException("the " + what + " is " + time + "; 0 to " + MAX_TIME + " is allowed");
        }
    }

    /**
     * The payloads of this side must be the recorded ones, too, apart from keys and addresses of its memory. Otherwise their
     * lengths must.
     */
    public RecordedCable comparingPayloads() {
        return new RecordedCable(name, recording, longestGap, patience, true);
    }

    /** Returns the recorded addresses of this side; the network's adapters have them, in the order of their first packets. */
    @Override
    public List<InetAddress> addresses() {
        return recording.addresses();
    }

    @Override
    public List<InetAddress> peers() {
        return List.of(peer());
    }

    /** Returns the address of the peer. */
    public InetAddress peer() {
        return Recording.inetAddress(recording.peer());
    }

    /** Returns the recorded connections and pairs of datagram queue pairs, in the order of their first packets. */
    public List<RecordedQueuePair> queuePairs() {
        return recording.queuePairs();
    }

    /** Returns the path MTU in bytes that the packets show; queue pairs of this side need the same. */
    public int pathMtuBytes() {
        return recording.pathMtuBytes();
    }

    /** Returns the packets. */
    public Recording recording() {
        return recording;
    }

    /** Returns the longest time between two packets. */
    public Duration longestGap() {
        return longestGap;
    }

    /** Returns how long the peer waits. */
    public Duration patience() {
        return patience;
    }

    /** True if the payloads of this side must be the recorded ones. */
    public boolean comparesPayloads() {
        return comparesPayloads;
    }

    /** Returns the name of the capture and the peer, for example {@code rping.pcap, peer 10.77.0.2}. */
    @Override
    public String toString() {
        return name + ", peer " + recording.peer();
    }
}
