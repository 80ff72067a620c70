package org.hcaactors.lab.flow;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;

/** The views of a run as files in one folder: {@code packets.pcapng}, {@code ladder.txt}, {@code ladder.mmd}. */
public final class Pictures {
    private Pictures() {}

    /** Makes the folder, and replaces what stands there. */
    public static void write(List<TraceEvent> events, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(folder.resolve("packets.pcapng")))) {
            PacketCapture.write(events, file);
        }
        Files.writeString(folder.resolve("ladder.txt"), String.join("\n", Ladder.of(events)) + "\n");
        Files.writeString(folder.resolve("ladder.mmd"), Mermaid.of(events));
    }
}
