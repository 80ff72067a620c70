// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.world.World;

/** All stages that a program has not waited for: at the end each must have completed in an allowed way. */
final class PendingStages {
    /** Many times what the longest sequence of timeouts and waits takes; virtual time costs nothing. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private record Verb(String what, CompletionStage<?> stage, Set<Errno> mayFail) {}

    private record Ended(QueuePairLife life, List<QueuePairLife.End> ends) {}

    private final World world;
    private final List<QueuePairLife> lives = new ArrayList<>();
    private final List<Verb> verbs = new ArrayList<>();

    PendingStages(World world) {
        this.world = world;
    }

    /** Adds a connection of a queue pair whose requests may also fail with the given statuses. */
    QueuePairLife life(String strand, Status... mayFail) {
        QueuePairLife life = new QueuePairLife(strand, mayFail);
        lives.add(life);
        return life;
    }

    /**
     * Adds a verb that must complete, and may be refused with the given errnos. In a disaster any refusal is allowed; forged
     * packets never cause one.
     */
    <T> CompletionStage<T> verb(String what, CompletionStage<T> stage, Errno... mayFail) {
        Set<Errno> errnos = EnumSet.noneOf(Errno.class);
        errnos.addAll(List.of(mayFail));
        verbs.add(new Verb(what, stage, errnos));
        return stage;
    }

    /** Waits for all stages, including those added meanwhile. */
    void await() {
        for (int i = 0; i < lives.size(); i++) {
            ends(lives.get(i));
        }
        for (int i = 0; i < verbs.size(); i++) {
            refusal(verbs.get(i));
        }
    }

    /**
     * Checks all results; throws AssertionError if a stage completed in a way that is not allowed, or if bytes of a successful
     * request are missing.
     *
     * @param memoryIsThere false if a process ended, so that its memory can't be checked
     */
    Result judge(FaultSeverity severity, boolean memoryIsThere) {
        List<Ended> ended =
                lives.stream().map(life -> new Ended(life, ends(life))).toList();
        ended.forEach(each -> each.life.judge(each.ends, severity));
        verbs.forEach(verb -> judge(verb, severity));
        if (memoryIsThere) {
            ended.forEach(PendingStages::check);
        }
        List<QueuePairLife.End> ends =
                ended.stream().flatMap(each -> each.ends.stream()).toList();
        int succeeded = (int) ends.stream().filter(QueuePairLife.End::isSuccess).count();
        return new Result(world.trace().of(FabricEvent.Sent.class).count(), succeeded, ends.size() - succeeded);
    }

    private static void check(Ended each) {
        for (int i = 0; i < each.ends.size(); i++) {
            if (each.ends.get(i).isSuccess()) {
                each.life.requests().get(i).check().run();
            }
        }
    }

    private void judge(Verb verb, FaultSeverity severity) {
        Optional<VerbsException> refused = refusal(verb);
        if (severity != FaultSeverity.DISASTER
                && refused.isPresent()
                && !verb.mayFail.contains(refused.get().errno())) {
            throw new AssertionError(
                    verb.what + " was refused, but only " + verb.mayFail + " is allowed: " + refused.get(),
                    refused.get());
        }
    }

    private Optional<VerbsException> refusal(Verb verb) {
        try {
            world.await(verb.stage, TIMEOUT);
            return Optional.empty();
        } catch (VerbsException refused) {
            return Optional.of(refused);
        }
    }

    private List<QueuePairLife.End> ends(QueuePairLife life) {
        List<QueuePairLife.End> ends = new ArrayList<>();
        for (int i = 0; i < life.requests().size(); i++) {
            ends.add(end(life.requests().get(i).stage()));
        }
        return ends;
    }

    private QueuePairLife.End end(CompletionStage<WorkCompletion> stage) {
        try {
            return new QueuePairLife.End(Optional.of(world.await(stage, TIMEOUT).status()), Optional.empty());
        } catch (VerbsException refused) {
            return new QueuePairLife.End(Optional.empty(), Optional.of(refused.errno()));
        }
    }
}
