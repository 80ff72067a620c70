// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;

/**
 * Invalid keys, and what adapters must do all the same: an atomic without a valid place for its result has changed the remote
 * word (rxe do_atomic), and a message of no bytes needs no access right (IBA C9-88).
 */
final class InvalidKeys implements Workload {
    private static final int ONE_IN = 4;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Renewable connection;
    private final HostMemory word;
    private final MemoryRegion counter;
    private final List<CompletionStage<WorkCompletion>> additions = new ArrayList<>();
    private boolean fails;
    private int acts;

    InvalidKeys(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("odd keys");
        SweepNode b = sweep.b();
        word = b.adapter.process(SweepNode.PROCESS).allocate(Long.BYTES);
        counter =
                sweep.world().await(b.domain.register(Registration.of(word).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        connection = new Renewable(sweep, "odd keys", random, sweep.a().half(), b.half(), sweep.patient(random));
    }

    @Override
    public void step() {
        if (fails) {
            connection.renew(sweep.patient(random));
            fails = false;
        }
        if (connection.isLost()) {
            return;
        }
        acts++;
        switch (random.nextInt(4)) {
            case 0 -> emptyWrite();
            case 1 -> emptyRead();
            default -> addition();
        }
    }

    private void addition() {
        boolean wrong = random.nextInt(ONE_IN) == 0;
        LocalSlice result = sweep.a().result(acts);
        LocalSlice target = wrong ? new LocalSlice(result.lkey() ^ 1, result.address(), Long.BYTES) : result;
        CompletionStage<WorkCompletion> stage =
                connection.local().submit(FetchAdd.of(acts, target, counter.remote(0), 1));
        additions.add(stage);
        add("FETCH_ADD " + acts, stage, wrong ? EnumSet.of(Status.LOC_PROT_ERR) : Set.of());
        fails |= wrong;
    }

    private void emptyWrite() {
        add("empty WRITE " + acts, connection.local().submit(RdmaWrite.of(acts, nothing(), nowhere())), Set.of());
    }

    private void emptyRead() {
        add("empty READ " + acts, connection.local().submit(RdmaRead.of(acts, nothing(), nowhere())), Set.of());
    }

    private void add(String what, CompletionStage<WorkCompletion> stage, Set<Status> mayFail) {
        connection.life().add(what, stage, () -> {}, mayFail);
    }

    private LocalSlice nothing() {
        return sweep.a().source(0, 0);
    }

    private RemoteAddress nowhere() {
        return new RemoteAddress(counter.rkey() ^ 1, 0);
    }

    /** Checks that every atomic that succeeded, or failed only for lack of a place for its result, was executed. */
    @Override
    public void atRest() {
        boolean isTrue = !sweep.world().faults().hasForged()
                && FaultSeverity.of(sweep.world().faults()) != FaultSeverity.DISASTER;
        if (isTrue) {
            long carriedOut = additions.stream().filter(this::wasCarriedOut).count();
            long found = ByteBuffer.wrap(word.read(0, Long.BYTES))
                    .order(ByteOrder.nativeOrder())
                    .getLong();
            if (found < carriedOut || found > additions.size()) {
                throw new AssertionError("odd keys: of " + additions.size() + " additions " + carriedOut
                        + " ended with the status of an executed one, but the word is " + found);
            }
        }
    }

    private boolean wasCarriedOut(CompletionStage<WorkCompletion> stage) {
        try {
            Status status = sweep.world().await(stage).status();
            return status == Status.SUCCESS || status == Status.LOC_PROT_ERR;
        } catch (VerbsException refused) {
            return false;
        }
    }
}
