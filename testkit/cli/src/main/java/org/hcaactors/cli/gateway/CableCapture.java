// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A capture of a cable, written to a file while the network runs: what enters the cable and what comes out of it, as frames of
 * Ethernet. The file has the time of day.
 */
public sealed interface CableCapture extends AutoCloseable permits FrameCapture, PacketCapture {
    /** @throws IOException if the file cannot be written */
    static CableCapture start(Station station, Path file) throws IOException {
        return station.frames().isPresent()
                ? FrameCapture.start(station.frames().get(), file)
                : PacketCapture.start(station.network(), file);
    }

    /** Returns the number of packets that are missing in the file, as it could not be written fast enough. */
    long missing();

    /** @throws IOException if the file could not be written */
    @Override
    void close() throws IOException;
}
