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

/** {@link Pictures} of a world; the recorded run contains the seed and the faults. */
public final class WorldPictures {
    private WorldPictures() {}

    /** Writes the pictures; creates the folder and replaces the files in it. */
    public static void write(String title, World world, Path folder) throws IOException {
        Pictures.write(header(title, world), world.trace(), profiles(world), folder);
    }

    /**
     * Writes the pictures.
     *
     * @param report the report of a failed test, instead of one of the run alone
     */
    public static void write(String title, World world, String report, Path folder) throws IOException {
        TraceRecorder trace = world.trace();
        Pictures.write(header(title, world), trace.events(), trace.forgotten(), profiles(world), report, folder);
    }

    /** Returns the run of a failed test up to now. */
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

    /** Returns the header of a recorded run of the world. */
    public static Rlog.Header header(String title, World world) {
        String unstruck = world.faults().unstruck().stream()
                .map(fault -> "# " + fault.words() + ": armed, but never injected\n")
                .collect(Collectors.joining());
        return new Rlog.Header(
                title,
                OptionalLong.of(world.seed()),
                unstruck + plan(world.faults().plan()));
    }

    /** Returns the plan in HOCON; empty if it contains user code, which has no text. */
    private static String plan(FaultPlan plan) {
        try {
            return plan.toHocon();
        } catch (IllegalArgumentException ownCode) {
            return "";
        }
    }
}
