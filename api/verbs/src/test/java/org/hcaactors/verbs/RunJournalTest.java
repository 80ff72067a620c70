// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunJournalTest {
    private final Path folder;
    private final Path file;
    private final Path before;
    private final RunJournal journal;
    private long ids;

    RunJournalTest(@TempDir Path folder) {
        this.folder = folder;
        file = folder.resolve("a-1.unfinished.rlog");
        before = folder.resolve("a-1.before.rlog");
        journal = new RunJournal(Rlog.Header.of("ledger"), folder, "a-1");
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            journal.add(new TestkitEvent(new Stamp(++ids, 0, 0, 0), "a", "device", "event"));
        }
    }

    private static List<Long> ids(Path file) throws IOException {
        return RlogReader.read(file).events().stream()
                .map(event -> event.stamp().id())
                .toList();
    }

    @Test
    void aFlushWritesTheEventsSinceTheLastOne() throws IOException {
        add(2);
        journal.flush();
        assertThat(ids(file)).containsExactly(1L, 2L);
        add(1);
        journal.flush();
        Rlog run = RlogReader.read(file);
        assertThat(run.header().title()).isEqualTo("ledger");
        assertThat(run.trailer()).isEmpty();
        assertThat(ids(file)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void moreThanItKeepsBeginTheFileAgainWithTheNewest() throws IOException {
        add(2);
        journal.flush();
        add(RunJournal.MAX_PENDING + 1);
        journal.flush();
        assertThat(ids(file)).hasSize(RunJournal.MAX_PENDING).startsWith(4L).endsWith(ids);
        assertThat(before).doesNotExist();
    }

    @Test
    void theFirstFlushMayHaveMoreEventsThanAreKept() throws IOException {
        add(RunJournal.MAX_PENDING + 1);
        journal.flush();
        assertThat(ids(file)).hasSize(RunJournal.MAX_PENDING).startsWith(2L).endsWith(ids);
    }

    @Test
    void aFullFileBecomesThatOfTheEventsBefore() throws IOException {
        while (ids < RunJournal.MAX_EVENTS) {
            add(RunJournal.MAX_PENDING);
            journal.flush();
        }
        add(1);
        journal.flush();
        assertThat(ids(before)).hasSize(RunJournal.MAX_EVENTS).startsWith(1L);
        assertThat(ids(file)).containsExactly(ids);
    }

    @Test
    void aRunWithAnEndNeedsNoJournal() throws IOException {
        add(1);
        journal.flush();
        journal.end();
        add(1);
        journal.flush();
        assertThat(folder).isEmptyDirectory();
    }
}
