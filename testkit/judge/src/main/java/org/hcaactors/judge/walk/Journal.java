// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Every call of a walk, from its beginning to its answer. Any thread may record an answer; the walk's thread checks it when it
 * {@linkplain #take takes} it: by then every call that may have affected it has begun.
 */
final class Journal {
    private static final int REMEMBERED = 40;

    /** Returns the allowed answers of a call that has ended. */
    @FunctionalInterface
    interface Judge extends Function<Call, AllowedAnswer> {}

    private final FaultProfile severity;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final Set<Call> underWay = new LinkedHashSet<>();
    private final Deque<Call> last = new ArrayDeque<>();
    private int moment;
    private int calls;

    Journal(FaultProfile severity) {
        this.severity = severity;
    }

    FaultProfile severity() {
        return severity;
    }

    int now() {
        return moment;
    }

    int calls() {
        return calls;
    }

    List<Call> underWay() {
        return List.copyOf(underWay);
    }

    /** True if every verb that answers without further calls has answered. */
    boolean isSettled() {
        return underWay.stream().noneMatch(Call::isAboutToEnd);
    }

    /** Adds an action for the walk's thread; from any thread. */
    void note(Runnable word) {
        inbox.add(word);
    }

    /** Runs the added actions; false if there were none. */
    boolean take() {
        boolean any = false;
        for (Runnable word = inbox.poll(); word != null; word = inbox.poll()) {
            any = true;
            word.run();
        }
        return any;
    }

    Call begin(String what, List<? extends WalkObject> about) {
        Call call = new Call(what, about, ++moment, severity == FaultProfile.SCARCE);
        calls++;
        underWay.add(call);
        last.add(call);
        if (last.size() > REMEMBERED) {
            last.remove();
        }
        return call;
    }

    /** Calls a verb whose answer arrives later. */
    <T> void later(
            Call call, Judge judge, Supplier<? extends CompletionStage<? extends T>> verb, Consumer<? super T> then) {
        verb.get()
                .whenComplete((value, failure) ->
                        note(() -> ended(call, judge, Optional.ofNullable(failure), () -> then.accept(value))));
    }

    /** Calls a verb that answers at once. */
    void now(Call call, Judge judge, Runnable verb) {
        Optional<Throwable> failure = Optional.empty();
        try {
            verb.run();
        } catch (VerbsException refused) {
            failure = Optional.of(refused);
        }
        ended(call, judge, failure, () -> {});
    }

    private void ended(Call call, Judge judge, Optional<Throwable> failure, Runnable then) {
        Optional<Errno> refusal = failure.map(reason -> errno(call, reason));
        call.end(++moment, refusal);
        underWay.remove(call);
        AllowedAnswer allowed = judge.apply(call).in(severity);
        if (!allowed.includes(refusal)) {
            throw wrong(call, allowed, failure);
        }
        if (refusal.isEmpty()) {
            then.run();
        }
    }

    private Errno errno(Call call, Throwable failure) {
        Throwable reason = unwrapped(failure);
        if (reason instanceof VerbsException refused) {
            return refused.errno();
        }
        throw new AssertionError(
                call + " ended with an exception that is no VerbsException: " + reason + story(call.about()), reason);
    }

    static Throwable unwrapped(Throwable failure) {
        @Nullable Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Returns the errno with which a verb was refused, if it was. */
    static Optional<Errno> refusal(@Nullable Throwable failure) {
        return Optional.ofNullable(failure)
                .map(Journal::unwrapped)
                .filter(VerbsException.class::isInstance)
                .map(reason -> ((VerbsException) reason).errno());
    }

    private AssertionError wrong(Call call, AllowedAnswer allowed, Optional<Throwable> failure) {
        String outcome =
                failure.map(Journal::unwrapped).map(Throwable::getMessage).orElse("success");
        return new AssertionError(call + "\n  result: " + outcome + "\n  allowed: " + allowed + story(call.about()));
    }

    /** Returns an error with the history of the given objects. */
    AssertionError wrong(String what, List<? extends WalkObject> about) {
        return new AssertionError(what + story(about));
    }

    private String story(List<? extends WalkObject> about) {
        StringBuilder story = new StringBuilder();
        Set<WalkObject> whole = new LinkedHashSet<>();
        about.forEach(thing -> thing.collectDependencies(whole));
        whole.forEach(thing -> story.append("\n  ").append(thing.history()));
        story.append("\n  under way: ").append(lines(underWay));
        story.append("\n  last: ").append(lines(last));
        return story.toString();
    }

    private static String lines(Iterable<Call> calls) {
        List<String> lines = new ArrayList<>();
        calls.forEach(call -> lines.add("\n    " + call));
        return String.join("", lines);
    }
}
