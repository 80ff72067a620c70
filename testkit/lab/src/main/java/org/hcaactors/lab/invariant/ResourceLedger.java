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

/** Resource audit of one network: the stages that verbs returned and that are not done, and the objects that hold resources. */
public final class ResourceLedger implements ResourceAudit {
    private static final int FIRST_LOOK = 1024;
    private static final String PROGRAMS = "org.hcaactors.api.stream";
    /** Packages of classes that are built on the verbs. The adapter itself has no subscribers. */
    private static final List<String> OWN = List.of("org.hcaactors.client.");

    /** A stage that a verb returned. */
    record Promise(VerbOwner by, Object verb, Future<?> stage) {}

    /** A subscriber that threw. */
    record Thrown(VerbOwner by, Class<?> subscriber, Throwable what) {}

    /** An open account. All its snapshots are of one kind, known from the first one. */
    private static final class Open {
        private final Audited account;
        private Class<? extends ResourceSnapshot> kind = ResourceSnapshot.class;

        Open(Audited account) {
            this.account = account;
        }

        /** A snapshot is expensive: none is taken of an account of another kind. */
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

    /** Creates the audit of a network whose programs may throw any exception. */
    public ResourceLedger() {
        this(thrown -> {});
    }

    /** @param programs receives the exceptions of programs' subscribers and handlers */
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

    /** True for a subscriber of the product; adapters around a program's code throw what that code throws. */
    public static boolean isOwn(Class<?> subscriber) {
        String room = subscriber.getPackageName();
        return !room.equals(PROGRAMS) && OWN.stream().anyMatch(own -> (room + ".").startsWith(own));
    }

    /** Returns the exceptions of the product's own subscribers since the last call. */
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

    /** Returns how many accounts were ever opened. */
    public synchronized long made() {
        return made;
    }

    /** Returns the stages that are not done, in the order in which they were returned. */
    synchronized List<Promise> open() {
        forgetEnded();
        return List.copyOf(promises);
    }

    /** Takes a snapshot of everything of one kind, in the order of opening. Call only while no actor runs. */
    public synchronized <S extends ResourceSnapshot> Stream<S> statements(Class<S> kind) {
        List<S> stated = new ArrayList<>();
        accounts.values().forEach(open -> open.state(kind, stated));
        return stated.stream();
    }
}
