// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.views.report.FailedRun;
import org.hcaactors.views.report.FailedTest.Fact;

/**
 * The result of shrinking a failed run.
 *
 * @param facts description, faults that struck, and location of a method to paste
 * @param run the rerun; empty if it did not fail again
 */
record SmallRun(Shrunk shrunk, List<Fact> facts, Optional<FailedRun> run) {
    /** Name of the run in the report's selection. */
    static final String NAME = "minimal";

    /** Maximum characters of a schedule within a source; a longer one is written to its own file. */
    static final int MAX_WRITTEN_OUT = 200;

    SmallRun {
        facts = List.copyOf(facts);
    }

    /**
     * Reruns the shrunk run, and writes the method to paste.
     *
     * @param title title of its recorded run
     * @param folder folder of the pictures
     */
    static SmallRun of(RunMinimizer minimal, Shrunk shrunk, String title, Path folder) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("minimal", shrunk.words()));
        facts.addAll(ReportLines.struck(shrunk.struck()));
        facts.add(new Fact("test", pasted(minimal, shrunk, folder)));
        return new SmallRun(shrunk, facts, minimal.again(shrunk, world -> WorldPictures.failed(NAME, title, world)));
    }

    private static String pasted(RunMinimizer minimal, Shrunk shrunk, Path folder) {
        try {
            Files.createDirectories(folder);
            Language language = minimal.language();
            String source = minimal.source(shrunk);
            Optional<String> schedule = shrunk.attempt()
                    .schedule()
                    .map(RecordedSchedule::toString)
                    .filter(text -> text.length() > MAX_WRITTEN_OUT);
            if (schedule.isPresent()) {
                Path file = Files.writeString(folder.resolve("shrunk.schedule.txt"), schedule.get() + "\n");
                String named = RecordedSchedule.FILE + file.toString().replace('\\', '/');
                source = source.replace('"' + schedule.get() + '"', language.quoted(named));
            }
            return Files.writeString(folder.resolve("shrunk." + language.extension() + ".txt"), source)
                    .toString();
        } catch (IOException | IllegalArgumentException refused) {
            return "could not be written: " + refused.getMessage();
        }
    }
}
