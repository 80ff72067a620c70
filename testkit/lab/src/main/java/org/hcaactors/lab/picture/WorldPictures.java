// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.picture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.invariant.Violation;
import org.hcaactors.lab.profile.ProfileText;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.picture.Pictures;
import org.hcaactors.views.report.FailedRun;
import org.hcaactors.views.rlog.Rlog;

/** The {@link Pictures} of a world, whose recorded run says by which seed and which faults it came about. */
public final class WorldPictures {
    private WorldPictures() {}

    /** Makes the folder, and replaces what stands there. */
    public static void write(String title, World world, Path folder) throws IOException {
        Pictures.write(header(title, world), world.trace(), profiles(world), folder);
    }

    /** @param report that of a failed test, instead of one of the run alone */
    public static void write(String title, World world, String report, Path folder) throws IOException {
        TraceRecorder trace = world.trace();
        Pictures.write(header(title, world), trace.events(), trace.forgotten(), profiles(world), report, folder);
    }

    /** The run of a test that has failed, as it is now. */
    public static FailedRun failed(String name, String title, World world) {
        return new FailedRun(
                name,
                header(title, world),
                world.trace().events(),
                world.trace().forgotten(),
                world.violation().map(Violation::eventId).map(OptionalLong::of).orElseGet(OptionalLong::empty));
    }

    private static Map<String, String> profiles(World world) {
        Map<String, String> profiles = new HashMap<>();
        world.network().adapters().forEach(adapter -> profiles.put(adapter.name(), ProfileText.of(adapter.profile())));
        return profiles;
    }

    /** What a record of a world says that it is of. */
    public static Rlog.Header header(String title, World world) {
        String unstruck = world.faults().unstruck().stream()
                .map(fault -> "# " + fault.words() + ": armed, and it struck nothing\n")
                .collect(Collectors.joining());
        return new Rlog.Header(
                title,
                OptionalLong.of(world.seed()),
                unstruck + plan(world.faults().plan()));
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
