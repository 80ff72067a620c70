// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Answers each seed that JUnit has run. */
final class SeedListener implements TestExecutionListener {
    /** Consumer of answers. */
    interface Answers {
        void accept(SeedWire.Answer answer) throws IOException;
    }

    private final Map<String, Long> left = new LinkedHashMap<>();
    private final Answers answers;
    private Optional<String> end = Optional.empty();
    private Optional<String> broken = Optional.empty();

    /** @param seeds the seeds to run */
    SeedListener(List<Long> seeds, Answers answers) {
        seeds.forEach(seed -> left.put(SeedReport.displayName(seed), seed));
        this.answers = answers;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        Optional.ofNullable(left.get(test.getDisplayName())).ifPresent(seed -> answer(new SeedWire.Answer.Begun(seed)));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        end = Optional.ofNullable(entry.getKeyValuePairs().get(SeedReport.KEY)).or(() -> end);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Optional<Long> seed = Optional.ofNullable(left.remove(test.getDisplayName()));
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        if (seed.isPresent()) {
            Optional<String> ended = failed ? Optional.empty() : end;
            end = Optional.empty();
            answer(ended.<SeedWire.Answer>map(text -> new SeedWire.Answer.Ended(seed.get(), text))
                    .orElseGet(() -> new SeedWire.Answer.Failed(seed.get(), reason(result))));
        } else if (failed) {
            broken = Optional.of(test.getDisplayName() + ": " + reason(result));
        }
    }

    private static String reason(TestExecutionResult result) {
        return result.getThrowable().map(Throwable::toString).orElse("it reported no end of its world");
    }

    /** Answers the seeds that JUnit did not run. */
    void over() {
        String why = broken.orElse("JUnit found no such test there");
        left.values().forEach(seed -> answer(new SeedWire.Answer.Failed(seed, why)));
        left.clear();
    }

    private void answer(SeedWire.Answer answer) {
        try {
            answers.accept(answer);
        } catch (IOException gone) { // The JVM that asked has ended.
            throw new UncheckedIOException(gone);
        }
    }
}
