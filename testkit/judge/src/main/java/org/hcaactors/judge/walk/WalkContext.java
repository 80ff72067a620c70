// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.handle.Handle;

/** State shared by the steps of a walk: random numbers, journal, and every object ever created. */
final class WalkContext {
    /** One in this many picks takes an object that is closed or being closed, if there is one. */
    private static final int STALE = 14;

    final WalkEnvironment environment;
    final SplittableRandom random;
    final Journal journal;
    final Requests requests;
    private final List<WalkObject> all = new ArrayList<>();
    private int made;

    WalkContext(WalkEnvironment environment, SplittableRandom random) {
        this.environment = environment;
        this.random = random;
        journal = new Journal(environment.severity());
        requests = new Requests(journal, new AllowedEnds(environment.severity()));
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    <T> Optional<T> anyOf(List<T> some) {
        return some.isEmpty() ? Optional.empty() : Optional.of(any(some));
    }

    /** Returns all created objects of a kind, closed or not. */
    <T extends WalkObject> List<T> all(Class<T> kind) {
        return all.stream()
                .filter(thing -> kind.isInstance(thing) && thing.making().succeeded())
                .map(kind::cast)
                .toList();
    }

    <T extends WalkObject> List<T> open(Class<T> kind) {
        return all(kind).stream().filter(WalkObject::isOpen).toList();
    }

    /** Picks an object, mostly an open one; sometimes a closed one, as a program with a stale handle does. */
    <T extends WalkObject> Optional<T> pick(Class<T> kind, Predicate<T> fits) {
        boolean stale = oneIn(STALE);
        return anyOf((stale ? all(kind) : open(kind)).stream().filter(fits).toList());
    }

    <T extends WalkObject> Optional<T> pick(Class<T> kind) {
        return pick(kind, any -> true);
    }

    /** Returns a region that a queue pair of that domain may use. */
    Optional<WalkObjects.Region> regionOf(WalkObjects.Domain domain) {
        return pick(WalkObjects.Region.class, region -> region.domain == domain);
    }

    <T extends WalkObject> T add(T thing) {
        all.add(thing);
        return thing;
    }

    /** Returns an unused name. */
    String name(String kind) {
        return kind + "#" + ++made;
    }

    /**
     * Creates an object.
     *
     * @param needs objects that must be open for it
     * @param model creates the walk's view of it
     */
    <H extends Handle, T extends WalkObjects.HandleObject<H>> T make(
            String what,
            List<? extends WalkObject> needs,
            Function<Call, T> model,
            Supplier<? extends CompletionStage<? extends H>> verb) {
        return make(what, needs, Set.of(), model, verb);
    }

    /**
     * Creates an object from parameters that may be invalid.
     *
     * @param wrong errnos for the invalid parameters; if not empty, it can't succeed
     */
    <H extends Handle, T extends WalkObjects.HandleObject<H>> T make(
            String what,
            List<? extends WalkObject> needs,
            Set<Errno> wrong,
            Function<Call, T> model,
            Supplier<? extends CompletionStage<? extends H>> verb) {
        Call call = journal.begin(what, needs);
        T thing = add(model.apply(call));
        Errno[] refusals = wrong.toArray(Errno[]::new);
        Journal.Judge judge = ended -> AllowedAnswers.making(ended, needs)
                .orRefusedIf(refusals.length > 0, refusals)
                .onlyRefusedIf(refusals.length > 0);
        journal.<H>later(call, judge, verb, handle -> {
            thing.made(handle);
            standsOnWhatIsThere(thing);
        });
        return thing;
    }

    /** Closes an object, or its owner. */
    void close(String how, WalkObject thing, Supplier<? extends CompletionStage<?>> verb) {
        Call call = journal.begin(how + " " + thing.name(), List.of(thing));
        thing.closing(call);
        journal.later(call, ended -> AllowedAnswers.closing(ended, thing), verb, done -> {
            for (WalkObject user : thing.users()) {
                standsOnWhatIsThere(user);
            }
        });
    }

    /**
     * Checks that an open object does not use a closed one: of a creation and the destruction of what it needs, one must fail.
     */
    private void standsOnWhatIsThere(WalkObject user) {
        if (!user.isOpen() || journal.severity().excusesFailures()) {
            return;
        }
        for (WalkObject used : user.uses()) {
            if (used.isGoneBefore(Integer.MAX_VALUE)) {
                throw journal.wrong(used + " was closed, but " + user + " was created on it", List.of(user));
            }
        }
    }

    /** Takes the answers that arrived. */
    void listen() {
        journal.take();
    }
}
