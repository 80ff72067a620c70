// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;

// rule post-verb-errno
/**
 * Entry point of one program's verbs on one adapter. Each verb is checked once, before it has any effect, so that a refused one
 * leaves nothing behind. The adapter's own operations, and closing objects that were left open, are no verbs.
 */
public final class VerbCalls {
    /** Value for objects that no program knows. */
    public static final VerbCalls NONE = new VerbCalls(VerbGuard.NONE, "", "", () -> true);

    private final VerbGuard guard;
    private final String adapter;
    private final String process;
    private final BooleanSupplier ended;
    private final boolean guarded;

    /** @param ended true once the calls are no longer the program's */
    public VerbCalls(VerbGuard guard, String adapter, String process, BooleanSupplier ended) {
        this.guard = guard;
        this.adapter = adapter;
        this.process = process;
        this.ended = ended;
        guarded = guard != VerbGuard.NONE;
    }

    /** Checks a verb that creates an object; VerbsException if it is refused. */
    public void check(Verb verb) {
        check(verb, "");
    }

    /**
     * Checks a verb on an object; VerbsException if it is refused.
     *
     * @param on the object
     */
    public void check(Verb verb, Object on) {
        if (guarded && !ended.getAsBoolean()) {
            guard.refusal(adapter, process, verb, on).ifPresent(refusal -> {
                throw refusal;
            });
        }
    }

    /** Checks a verb on an object that is not closed; a closed one refuses by itself. */
    public void checkOpen(Verb verb, VerbOwner on) {
        if (guarded && !on.isClosed()) {
            check(verb, on);
        }
    }

    /** Begins a verb that returns a stage; a closed object refuses by itself, or does nothing. */
    public <T> CompletionStage<T> begin(Verb verb, VerbOwner on, Supplier<CompletionStage<T>> rest) {
        return begin(verb, on, on.isClosed(), rest);
    }

    /**
     * Begins a verb that returns a stage.
     *
     * @param closed the object refuses by itself, or does nothing
     */
    public <T> CompletionStage<T> begin(Verb verb, Object on, boolean closed, Supplier<CompletionStage<T>> rest) {
        if (guarded && !closed) {
            try {
                check(verb, on);
            } catch (VerbsException refused) {
                return CompletableFuture.failedStage(refused);
            }
        }
        return rest.get();
    }
}
