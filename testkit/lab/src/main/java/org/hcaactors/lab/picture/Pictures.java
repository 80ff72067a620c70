// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.picture;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.flow.Ladder;
import org.hcaactors.lab.flow.Mermaid;
import org.hcaactors.lab.flow.PacketCapture;
import org.hcaactors.lab.rlog.Rlog;
import org.hcaactors.lab.rlog.RlogWriter;
import org.hcaactors.lab.world.World;

/**
 * A run as files in one folder: {@code packets.pcapng} for Wireshark, {@code ladder.txt}, {@code ladder.mmd} for Mermaid, and
 * {@code trace.rlog}, from which all of them, and every explanation, can be made again.
 */
public final class Pictures {
    /** The files, as a report names them. */
    public static final String NAMES = "{ladder.txt, ladder.mmd, packets.pcapng, trace.rlog}";

    private Pictures() {}

    /** Makes the folder, and replaces what stands there. */
    public static void write(String title, World world, Path folder) throws IOException {
        List<TraceEvent> events = world.trace().events();
        views(events, folder);
        Rlog.Header header = new Rlog.Header(
                title, OptionalLong.of(world.seed()), plan(world.faults().plan()));
        RlogWriter.write(header, events, world.trace().forgotten(), folder.resolve("trace.rlog"));
    }

    /** The same without {@code trace.rlog}. */
    public static void views(List<TraceEvent> events, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(folder.resolve("packets.pcapng")))) {
            PacketCapture.write(events, file);
        }
        Files.writeString(folder.resolve("ladder.txt"), String.join("\n", Ladder.of(events)) + "\n");
        Files.writeString(folder.resolve("ladder.mmd"), Mermaid.of(events));
    }

    /** In HOCON; empty where code of the user's is part of it, which has no text. */
    private static String plan(FaultPlan plan) {
        try {
            return plan.toHocon();
        } catch (IllegalArgumentException ownCode) {
            return "";
        }
    }
}
