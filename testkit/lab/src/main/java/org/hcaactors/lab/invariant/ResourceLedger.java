// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.audit.VerbOwner;

/** The books of one network: the stages that it gave out and that have not ended, and what is there and holds something. */
public final class ResourceLedger implements ResourceAudit {
    private static final int FIRST_LOOK = 1024;
    private static final String PROGRAMS = "org.hcaactors.api.stream";
    /** Where what is built on verbs stands; an adapter subscribes to nothing. */
    private static final List<String> OWN = List.of("org.hcaactors.client.");

    /** A stage that was given out. */
    record Promise(VerbOwner by, Object verb, Future<?> stage) {}

    /** A subscriber that threw. */
    record Thrown(VerbOwner by, Class<?> subscriber, Throwable what) {}

    /** Something that is there. All its statements are of one kind, which the first one tells. */
    private static final class Open {
        private final Audited account;
        private Class<? extends ResourceSnapshot> kind = ResourceSnapshot.class;

        Open(Audited account) {
            this.account = account;
        }

        /** Making a statement is work: none is made to be left out. */
        <S extends ResourceSnapshot> void state(Class<S> requested, List<? super S> stated) {
            if (requested.isAssignableFrom(kind) || kind.isAssignableFrom(requested)) {
                ResourceSnapshot snapshot = account.snapshot();
                kind = snapshot.getClass();
                if (requested.isInstance(snapshot)) {
                    stated.add(requested.cast(snapshot));
                }
            }
        }
    }

    private final Consumer<? super Throwable> programs;
    private final List<Promise> promises = new ArrayList<>();
    private final Map<Audited, Open> accounts = new LinkedHashMap<>();
    private final List<Thrown> thrown = new ArrayList<>();
    private int nextLook = FIRST_LOOK;
    private long made;

    /** Books of a network whose programs may throw what they like. */
    public ResourceLedger() {
        this(thrown -> {});
    }

    /** @param programs told what subscribers and handlers of programs throw */
    public ResourceLedger(Consumer<? super Throwable> programs) {
        this.programs = programs;
    }

    @Override
    public synchronized void pending(VerbOwner by, Object verb, Future<?> stage) {
        promises.add(new Promise(by, verb, stage));
        if (promises.size() >= nextLook) {
            forgetEnded();
            nextLook = Math.max(FIRST_LOOK, 2 * promises.size());
        }
    }

    @Override
    public synchronized void threw(VerbOwner by, Class<?> subscriber, Throwable what) {
        if (isOwn(subscriber)) {
            thrown.add(new Thrown(by, subscriber, what));
        } else {
            programs.accept(what);
        }
    }

    /** A subscriber of the product's own; those that take the code of programs throw what that throws. */
    public static boolean isOwn(Class<?> subscriber) {
        String room = subscriber.getPackageName();
        return !room.equals(PROGRAMS) && OWN.stream().anyMatch(own -> (room + ".").startsWith(own));
    }

    /** Subscribers of the product's own that threw since it was asked last. */
    synchronized List<Thrown> takeThrown() {
        List<Thrown> taken = List.copyOf(thrown);
        thrown.clear();
        return taken;
    }

    private void forgetEnded() {
        promises.removeIf(promise -> promise.stage.isDone());
    }

    @Override
    public synchronized void opened(Audited account) {
        made++;
        accounts.putIfAbsent(account, new Open(account));
    }

    @Override
    public synchronized void closed(Audited account) {
        accounts.remove(account);
    }

    /** How often something was opened. */
    public synchronized long made() {
        return made;
    }

    /** What has not ended, in the order in which it was given out. */
    synchronized List<Promise> open() {
        forgetEnded();
        return List.copyOf(promises);
    }

    /** How everything of one kind stands, in the order in which it came. Only while no actor runs. */
    public synchronized <S extends ResourceSnapshot> Stream<S> statements(Class<S> kind) {
        List<S> stated = new ArrayList<>();
        accounts.values().forEach(open -> open.state(kind, stated));
        return stated.stream();
    }
}
