// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.shrink.Attempt;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.shrink.Symptom;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongScheduleTest {
    @TempDir
    Path folder;

    private static RecordedSchedule schedule(int length) {
        int[] choices = new int[length];
        choices[length - 1] = 1;
        return RecordedSchedule.of(choices);
    }

    /** The pasted source contains its schedule, which is all that this test checks. */
    private static final class Scheduled implements Rerunnable {
        @Override
        public Runnable prepare(World world) {
            return () -> {};
        }

        @Override
        public Language language() {
            return Language.JAVA;
        }

        @Override
        public String source(Shrunk shrunk) {
            return "schedule = \"" + shrunk.attempt().schedule().orElseThrow() + "\"";
        }
    }

    private String pasted(RecordedSchedule schedule) throws IOException {
        Attempt attempt = new Attempt(0, Optional.of(schedule), Pace.INSTANT, FaultPlan.NONE, List.of());
        Shrunk shrunk =
                new Shrunk(attempt, new Symptom("a kind", ""), "a story", FaultPlan.NONE, List.of(), 0, 1, true);
        SmallRun.of(new RunMinimizer(new Scheduled(), Shrinker.Worlds.CHECKED, 1), shrunk, "a title", folder);
        return Files.readString(folder.resolve("shrunk.java.txt"));
    }

    @Test
    void aLongScheduleIsInAFileNextToThePictures() throws IOException {
        assertThat(pasted(schedule(20))).contains("schedule = \"" + schedule(20) + "\"");
        RecordedSchedule schedule = schedule(SmallRun.MAX_WRITTEN_OUT);
        Matcher named = Pattern.compile("schedule = (\"file:[^\"]*\")").matcher(pasted(schedule));
        assertThat(named.find()).isTrue();
        assertThat(named.group(1)).isEqualTo(Language.JAVA.quoted("file:" + folder.resolve("shrunk.schedule.txt")));
        assertThat(RecordedSchedule.named("file:" + folder.resolve("shrunk.schedule.txt")))
                .isEqualTo(schedule);
    }
}
