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

/** What the steps of a walk share: its lots, its journal, and everything that was ever made. */
final class WalkContext {
    /** One pick in that many takes an object that is gone, or going, if there is one. */
    private static final int STALE = 14;

    final WalkEnvironment ground;
    final SplittableRandom random;
    final Journal journal;
    final Requests requests;
    private final List<WalkObject> all = new ArrayList<>();
    private int made;

    WalkContext(WalkEnvironment ground, SplittableRandom random) {
        this.ground = ground;
        this.random = random;
        journal = new Journal(ground.severity());
        requests = new Requests(journal, new AllowedEnds(ground.severity()));
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

    /** Of that kind everything that was made, gone or not. */
    <T extends WalkObject> List<T> all(Class<T> kind) {
        return all.stream()
                .filter(thing -> kind.isInstance(thing) && thing.making().succeeded())
                .map(kind::cast)
                .toList();
    }

    <T extends WalkObject> List<T> open(Class<T> kind) {
        return all(kind).stream().filter(WalkObject::isOpen).toList();
    }

    /** Mostly one that is open; sometimes what a program holds that did not hear that it is gone. */
    <T extends WalkObject> Optional<T> pick(Class<T> kind, Predicate<T> fits) {
        boolean stale = oneIn(STALE);
        return anyOf((stale ? all(kind) : open(kind)).stream().filter(fits).toList());
    }

    <T extends WalkObject> Optional<T> pick(Class<T> kind) {
        return pick(kind, any -> true);
    }

    /** One that a queue pair of that domain may use. */
    Optional<WalkObjects.Region> regionOf(WalkObjects.Domain domain) {
        return pick(WalkObjects.Region.class, region -> region.domain == domain);
    }

    <T extends WalkObject> T add(T thing) {
        all.add(thing);
        return thing;
    }

    /** A name that was not given before. */
    String name(String kind) {
        return kind + "#" + ++made;
    }

    /**
     * Has something made.
     *
     * @param needs what must be open for it
     * @param model what it is to the walk
     */
    <H extends Handle, T extends WalkObjects.Made<H>> T make(
            String what,
            List<? extends WalkObject> needs,
            Function<Call, T> model,
            Supplier<? extends CompletionStage<? extends H>> verb) {
        return make(what, needs, Set.of(), model, verb);
    }

    /**
     * The same, which can't succeed if there is anything wrong with it.
     *
     * @param wrong how it is refused then
     */
    <H extends Handle, T extends WalkObjects.Made<H>> T make(
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

    /** Has something closed, or what takes it along. */
    void close(String how, WalkObject thing, Supplier<? extends CompletionStage<?>> verb) {
        Call call = journal.begin(how + " " + thing.name(), List.of(thing));
        thing.closing(call);
        journal.later(call, ended -> AllowedAnswers.closing(ended, thing), verb, done -> {
            for (WalkObject user : thing.users()) {
                standsOnWhatIsThere(user);
            }
        });
    }

    /** Of making something and destroying what it stands on, one comes too late. */
    private void standsOnWhatIsThere(WalkObject user) {
        if (!user.isOpen() || journal.severity().excusesFailures()) {
            return;
        }
        for (WalkObject used : user.uses()) {
            if (used.isGoneBefore(Integer.MAX_VALUE)) {
                throw journal.wrong(used + " was closed, and " + user + " was made on it", List.of(user));
            }
        }
    }

    /** Takes what has come in since. */
    void listen() {
        journal.take();
    }
}
