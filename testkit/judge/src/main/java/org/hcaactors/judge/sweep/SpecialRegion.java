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

/** A region for one life of a connection: cells that messages come from, cells that they go to, words, and room for receives. */
abstract class SpecialRegion {
    static final int CELLS = 8;
    private static final int TARGETS = CELLS * SweepNode.CELL;
    private static final int WORDS = 2 * TARGETS;
    private static final int WORD_COUNT = 2;
    static final int RECEIVE = WORDS + WORD_COUNT * Long.BYTES;
    static final int BYTES = RECEIVE + SweepNode.CELL;

    final SpecialRegionSlot place;
    private final List<String> wrongs = new ArrayList<>();
    private Optional<CompletionStage<Void>> gone = Optional.empty();

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

    /** Address of its first byte under its key. */
    long first() {
        return region().address();
    }

    LocalSlice slice(int offset, int bytes) {
        return new LocalSlice(region().lkey(), first() + offset, bytes);
    }

    RemoteAddress remote(int offset) {
        return new RemoteAddress(region().rkey(), first() + offset);
    }

    /** Requests may still be posted that name it; whether they succeed is another matter. */
    boolean isOfUse() {
        return true;
    }

    /** Peers may reach it. */
    boolean isForPeers() {
        return true;
    }

    /** Atomics may name it, its words and where their results go. */
    boolean takesAtomics() {
        return true;
    }

    /** What whoever reads it gets, if that can be known still. */
    abstract Optional<byte[]> gives(int offset, int bytes);

    /** What was written into it, if that can be known still. */
    Optional<byte[]> keeps(int offset, int bytes) {
        return gives(offset, bytes);
    }

    static Optional<byte[]> bytes(HostMemory memory, int offset, int bytes) {
        return memory.isMapped() ? Optional.of(memory.read(offset, bytes)) : Optional.empty();
    }

    /** What no peer is ever let in to. */
    RemoteAddress stray() {
        return remote(BYTES);
    }

    /** Its life begins: what this queue pair, at its own end, can do about how peers see it. */
    void show(RcQueuePair by, QueuePairLife binder) {}

    /** What happens around it, and harms nobody who uses it. */
    void change() {}

    /** From now on who uses it may be refused. False if nothing happened. */
    abstract boolean mishap();

    /** Its life is over. */
    abstract void end();

    // --- what is promised ---

    /** A verb that must end, and may be refused so; when it succeeded, that memory is unmapped. */
    void unmaps(String what, CompletionStage<Void> stage, HostMemory memory, Errno... mayFail) {
        CompletionStage<Void> looked = stage.thenRun(() -> {
            if (memory.isMapped()) {
                wrongs.add("after " + what + " " + memory.describe() + ", is still mapped");
            }
        });
        place.setting().promises().verb(what, looked, mayFail);
    }

    /** A verb that is refused so. */
    void refused(String what, CompletionStage<?> stage, Errno... mayFail) {
        place.setting().promises().verb(what, stage.thenRun(() -> wrongs.add(what + " was not refused")), mayFail);
    }

    /** Once, however often it is asked for. */
    CompletionStage<Void> deregistered() {
        if (gone.isEmpty()) {
            gone = Optional.of(place.setting().promises().verb("deregister", region().deregister()));
        }
        return gone.get();
    }

    void atRest() {
        if (!wrongs.isEmpty()) {
            throw new AssertionError(place.kind() + ": " + wrongs);
        }
    }
}
