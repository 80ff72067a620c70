// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;

/** A region for one life of a connection: source cells, target cells, words for atomics, and space for receives. */
abstract class SpecialRegion {
    static final int CELLS = 8;
    private static final int TARGETS = CELLS * SweepNode.CELL;
    private static final int WORDS = 2 * TARGETS;
    private static final int WORD_COUNT = 2;
    static final int RECEIVE = WORDS + WORD_COUNT * Long.BYTES;
    static final int BYTES = RECEIVE + SweepNode.CELL;

    final SpecialRegionSlot place;
    private final List<String> wrongs = new ArrayList<>();
    private Optional<CompletionStage<Void>> ended = Optional.empty();

    SpecialRegion(SpecialRegionSlot place) {
        this.place = place;
    }

    static int source(int cell) {
        return cell * SweepNode.CELL;
    }

    static int target(int cell) {
        return TARGETS + cell * SweepNode.CELL;
    }

    static int word(int number) {
        return WORDS + number % WORD_COUNT * Long.BYTES;
    }

    abstract MemoryRegion region();

    /** Returns the address of its first byte under its key. */
    long first() {
        return region().address();
    }

    LocalSlice slice(int offset, int bytes) {
        return new LocalSlice(region().lkey(), first() + offset, bytes);
    }

    RemoteAddress remote(int offset) {
        return new RemoteAddress(region().rkey(), first() + offset);
    }

    /** True if requests that name it may still be posted, whether they succeed or not. */
    boolean isOfUse() {
        return true;
    }

    /** True if peers may access it. */
    boolean isForPeers() {
        return true;
    }

    /** True if atomics may use it for their words and results. */
    boolean takesAtomics() {
        return true;
    }

    /** Returns the bytes that a READ gets, if still known. */
    abstract Optional<byte[]> gives(int offset, int bytes);

    /** Returns the bytes that were written to it, if still known. */
    Optional<byte[]> keeps(int offset, int bytes) {
        return gives(offset, bytes);
    }

    static Optional<byte[]> bytes(HostMemory memory, int offset, int bytes) {
        return memory.isMapped() ? Optional.of(memory.read(offset, bytes)) : Optional.empty();
    }

    /** Returns an address that peers must never access. */
    RemoteAddress stray() {
        return remote(BYTES);
    }

    /** Begins its life: lets the given local queue pair change how peers access it. */
    void show(RcQueuePair by, QueuePairLife binder) {}

    /** Makes a change around it that affects none of its users. */
    void change() {}

    /** Makes a change after which its use may be refused. False if there was none. */
    abstract boolean disturb();

    /** Ends its life. */
    abstract void end();

    // --- what is promised ---

    /** Adds a verb that must complete, and may be refused with the given errnos; after success the memory must be unmapped. */
    void unmaps(String what, CompletionStage<Void> stage, HostMemory memory, Errno... mayFail) {
        CompletionStage<Void> looked = stage.thenRun(() -> {
            if (memory.isMapped()) {
                wrongs.add(memory.describe() + " is still mapped after " + what);
            }
        });
        place.sweep().promises().verb(what, looked, mayFail);
    }

    /** Adds a verb that must be refused with one of the given errnos. */
    void refused(String what, CompletionStage<?> stage, Errno... mayFail) {
        place.sweep().promises().verb(what, stage.thenRun(() -> wrongs.add(what + " was not refused")), mayFail);
    }

    /** Deregisters the region once; later calls return the same stage. */
    CompletionStage<Void> deregistered() {
        if (ended.isEmpty()) {
            ended = Optional.of(place.sweep().promises().verb("deregister", region().deregister()));
        }
        return ended.get();
    }

    void atRest() {
        if (!wrongs.isEmpty()) {
            throw new AssertionError(place.kind() + ": " + wrongs);
        }
    }
}
