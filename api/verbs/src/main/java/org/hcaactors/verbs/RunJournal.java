// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;

/**
 * Recorded run without an end, which is written while the program runs: what remains of a process that is killed. Its events follow
 * each other without a gap up to the last flush; of a program with more events than are written in time, or than its two files hold,
 * only the newest ones are there.
 *
 * <p>{@link #add} on any thread; the rest on one at a time.
 */
final class RunJournal {
    /** Maximum number of events between two flushes; of more, the newest. */
    static final int MAX_PENDING = 1 << 14;

    /** Maximum number of events of the file; then it becomes that of the events before, in place of the one that was. */
    static final int MAX_EVENTS = 1 << 17;

    private final Rlog.Header header;
    private final Path file;
    private final Path before;

    private final ArrayDeque<TraceEvent> pending = new ArrayDeque<>();
    private boolean skipped;

    private Optional<OutputStream> open = Optional.empty();
    private int written;
    private boolean ended;

    /**
     * @param header of its files
     * @param folder where they are
     * @param program the beginning of their names
     */
    RunJournal(Rlog.Header header, Path folder, String program) {
        this.header = header;
        file = folder.resolve(program + ".unfinished.rlog");
        before = folder.resolve(program + ".before.rlog");
    }

    /** Adds an event, which the next flush writes. */
    void add(TraceEvent event) {
        synchronized (pending) {
            if (pending.size() == MAX_PENDING) {
                pending.remove();
                skipped = true;
            }
            pending.add(event);
        }
    }

    /** Writes the events since the last flush. They are in the file then, whatever becomes of the process. */
    synchronized void flush() throws IOException {
        if (ended) {
            return;
        }
        List<TraceEvent> events;
        boolean gap;
        synchronized (pending) {
            events = List.copyOf(pending);
            pending.clear();
            gap = skipped;
            skipped = false;
        }
        if (gap) {
            replace(events);
            return;
        }
        if (written >= MAX_EVENTS) {
            beginAgain();
        }
        OutputStream out = out();
        RlogWriter.append(events, out);
        out.flush();
        written += events.size();
    }

    private void beginAgain() throws IOException {
        close();
        Files.move(file, before, StandardCopyOption.REPLACE_EXISTING);
        written = 0;
    }

    /** Begins the file again with these events; the old one is there until they are. */
    private void replace(List<TraceEvent> events) throws IOException {
        close();
        Path part = file.resolveSibling(file.getFileName() + ".part");
        OutputStream out = begin(part);
        RlogWriter.append(events, out);
        out.flush();
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(before);
        written = events.size();
    }

    private OutputStream out() throws IOException {
        return open.isPresent() ? open.get() : begin(file);
    }

    private OutputStream begin(Path at) throws IOException {
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(at));
        open = Optional.of(out);
        RlogWriter.begin(header, out);
        return out;
    }

    private void close() throws IOException {
        if (open.isPresent()) {
            OutputStream closing = open.get();
            open = Optional.empty();
            closing.close();
        }
    }

    /** Removes the files: the run has another one, with its end. */
    synchronized void end() throws IOException {
        ended = true;
        try {
            close();
        } catch (IOException full) {
            // The run has another file.
        }
        Files.deleteIfExists(before);
        Files.deleteIfExists(file);
    }
}
