// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers of a command sender while its actor answers, refuses or closes, and stops: no caller waits forever. */
@Param(name = "request", gen = BooleanGen.class)
@Param(name = "willing", gen = BooleanGen.class)
@Tag("judge")
public class CommandSenderThreadsTest {
    private record Asked(Reply<Integer> reply) {}

    private record Closed(Reply<Void> reply) {}

    private final Mailbox<Object> mailbox = new Mailbox<>();
    private final CommandSender<Object> commandSender = new CommandSender<>(
            mailbox, new Callers(Runnable::run, stage -> {}, DispatcherSelector.sameAsParent()), "a door");
    private final Queue<CompletionStage<?>> stages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger watchers = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private boolean gone;

    /** @param request sent by the adapter itself, which closing does not stop */
    @Operation
    public void ask(boolean request) {
        stages.add(request ? commandSender.<Integer>pass(Asked::new) : commandSender.<Integer>ask(Asked::new));
    }

    @Operation
    public void close() {
        stages.add(commandSender.close(Closed::new));
    }

    @Operation
    public void watch() {
        watchers.incrementAndGet();
        commandSender.whenClosed(told::incrementAndGet);
    }

    /** Stopped from outside: messages in its mailbox are lost. */
    @Operation(nonParallelGroup = "actor")
    public void ends() {
        gone = true;
        commandSender.shut();
    }

    @Operation(nonParallelGroup = "actor")
    public void turn(boolean willing) {
        Object letter = gone ? null : mailbox.letters().poll();
        switch (letter) {
            case Asked asked -> asked.reply.succeed(1);
            case Closed closed
            when willing -> {
                gone = true;
                commandSender.closeTaken();
                commandSender.shut();
                Reply.done(closed.reply);
            }
            case Closed closed -> closed.reply.fail(VerbsException.invalid("it is in use"));
            case null -> {}
            default -> throw new IllegalStateException("told " + letter);
        }
    }

    @Validate
    public void everyoneIsAnswered() {
        while (!gone && !mailbox.letters().isEmpty()) {
            turn(true);
        }
        if (!gone) {
            ends();
        }
        long waiting = stages.stream()
                .filter(stage -> !stage.toCompletableFuture().isDone())
                .count();
        if (waiting > 0) {
            throw new AssertionError(waiting + " of " + stages.size() + " wait for ever");
        }
        if (told.get() != watchers.get()) {
            throw new AssertionError(watchers + " wanted to know the end, and " + told + " were told");
        }
    }

    @Test
    void aCommandSentWhileTheActorEndsIsAnswered() {
        Interleavings.of(CommandSenderThreadsTest.class)
                .thread("ask true", "ask false")
                .thread("ends")
                .inAnyOrder();
    }

    @Test
    void aWatchOfTheActorsEndFiresOnce() {
        Interleavings.of(CommandSenderThreadsTest.class)
                .thread("watch", "close")
                .thread("turn true", "ends")
                .after("watch")
                .inAnyOrder();
    }

    @Test
    void concurrentClosesWaitForTheSameEnd() {
        Interleavings.of(CommandSenderThreadsTest.class)
                .thread("close", "ask false")
                .thread("close")
                .thread("turn false", "turn true")
                .inAnyOrder();
    }

    @Test
    void aCloseWhileTheActorIsStoppedIsAnswered() {
        Interleavings.of(CommandSenderThreadsTest.class)
                .before("ask false")
                .thread("close")
                .thread("turn true", "ends")
                .inAnyOrder();
    }
}
