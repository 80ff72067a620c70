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
final class Scene {
    /** One pick in that many takes an object that is gone, or going, if there is one. */
    private static final int STALE = 14;

    final Ground ground;
    final SplittableRandom lots;
    final Journal journal;
    final Requests requests;
    private final List<Thing> all = new ArrayList<>();
    private int made;

    Scene(Ground ground, SplittableRandom lots) {
        this.ground = ground;
        this.lots = lots;
        journal = new Journal(ground.weather());
        requests = new Requests(journal, new AllowedEnds(ground.weather()));
    }

    boolean oneIn(int n) {
        return lots.nextInt(n) == 0;
    }

    <T> T any(List<T> some) {
        return some.get(lots.nextInt(some.size()));
    }

    <T> Optional<T> anyOf(List<T> some) {
        return some.isEmpty() ? Optional.empty() : Optional.of(any(some));
    }

    /** Of that kind everything that was made, gone or not. */
    <T extends Thing> List<T> all(Class<T> kind) {
        return all.stream()
                .filter(thing -> kind.isInstance(thing) && thing.making().succeeded())
                .map(kind::cast)
                .toList();
    }

    <T extends Thing> List<T> open(Class<T> kind) {
        return all(kind).stream().filter(Thing::isOpen).toList();
    }

    /** Mostly one that is open; sometimes what a program holds that did not hear that it is gone. */
    <T extends Thing> Optional<T> pick(Class<T> kind, Predicate<T> fits) {
        boolean stale = oneIn(STALE);
        return anyOf((stale ? all(kind) : open(kind)).stream().filter(fits).toList());
    }

    <T extends Thing> Optional<T> pick(Class<T> kind) {
        return pick(kind, any -> true);
    }

    /** One that a queue pair of that domain may use. */
    Optional<Things.Region> regionOf(Things.Domain domain) {
        return pick(Things.Region.class, region -> region.domain == domain);
    }

    <T extends Thing> T add(T thing) {
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
    <H extends Handle, T extends Things.Made<H>> T make(
            String what,
            List<? extends Thing> needs,
            Function<Call, T> model,
            Supplier<? extends CompletionStage<? extends H>> verb) {
        return make(what, needs, Set.of(), model, verb);
    }

    /**
     * The same, which can't succeed if there is anything wrong with it.
     *
     * @param wrong how it is refused then
     */
    <H extends Handle, T extends Things.Made<H>> T make(
            String what,
            List<? extends Thing> needs,
            Set<Errno> wrong,
            Function<Call, T> model,
            Supplier<? extends CompletionStage<? extends H>> verb) {
        Call call = journal.begin(what, needs);
        T thing = add(model.apply(call));
        Errno[] refusals = wrong.toArray(Errno[]::new);
        Journal.Judge judge = ended -> Outcomes.making(ended, needs)
                .orRefusedIf(refusals.length > 0, refusals)
                .onlyRefusedIf(refusals.length > 0);
        journal.<H>later(call, judge, verb, handle -> {
            thing.made(handle);
            standsOnWhatIsThere(thing);
        });
        return thing;
    }

    /** Has something closed, or what takes it along. */
    void close(String how, Thing thing, Supplier<? extends CompletionStage<?>> verb) {
        Call call = journal.begin(how + " " + thing.name(), List.of(thing));
        thing.closing(call);
        journal.later(call, ended -> Outcomes.closing(ended, thing), verb, done -> {
            for (Thing user : thing.users()) {
                standsOnWhatIsThere(user);
            }
        });
    }

    /** Of making something and destroying what it stands on, one comes too late. */
    private void standsOnWhatIsThere(Thing user) {
        if (!user.isOpen() || journal.weather().excusesFailures()) {
            return;
        }
        for (Thing used : user.uses()) {
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
