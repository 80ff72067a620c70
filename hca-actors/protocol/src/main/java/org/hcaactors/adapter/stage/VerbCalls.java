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
 * Where the verbs of one program on one adapter come in: each is asked about once, before it has done anything, so what is
 * refused here leaves nothing behind. What the adapter does by itself, and what closing does with what was left open, is no
 * verb.
 */
public final class VerbCalls {
    /** Of what no program knows. */
    public static final VerbCalls NONE = new VerbCalls(VerbGuard.NONE, "", "", () -> true);

    private final VerbGuard guard;
    private final String adapter;
    private final String process;
    private final BooleanSupplier over;
    private final boolean guarded;

    /** @param over nothing that is called any more is the program's */
    public VerbCalls(VerbGuard guard, String adapter, String process, BooleanSupplier over) {
        this.guard = guard;
        this.adapter = adapter;
        this.process = process;
        this.over = over;
        guarded = guard != VerbGuard.NONE;
    }

    /** A verb that makes something. VerbsException where it is refused. */
    public void check(Verb verb) {
        check(verb, "");
    }

    /** @param on the object whose verb it is */
    public void check(Verb verb, Object on) {
        if (guarded && !over.getAsBoolean()) {
            guard.refusal(adapter, process, verb, on).ifPresent(refusal -> {
                throw refusal;
            });
        }
    }

    /** The same; what is closed already refuses by itself. */
    public void checkOpen(Verb verb, VerbOwner on) {
        if (guarded && !on.isClosed()) {
            check(verb, on);
        }
    }

    /** The same where a stage answers; what is closed already refuses by itself, or does nothing. */
    public <T> CompletionStage<T> begin(Verb verb, VerbOwner on, Supplier<CompletionStage<T>> rest) {
        return begin(verb, on, on.isClosed(), rest);
    }

    /** @param closed it refuses by itself, or does nothing */
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
