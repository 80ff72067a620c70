// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a world, each of which is named as its adapter: their programs may be paused, or slow. Adapters go on meanwhile, and so does
 * what is of no host: the test itself, and actors of its own, deadlines of the network, and subscribers that asked to run on an adapter's thread. Belongs to the world's thread.
 */
final class Hosts {
    private static final String NETWORK = "hca-network";

    /** Steps that a paused host keeps; those beyond are taken at once. */
    private static final int MAX_HELD = 1 << 20;

    /** How one of them runs its programs. */
    private static final class Host {
        private final List<Pause> pauses = new ArrayList<>();
        private final List<Runnable> held = new ArrayList<>();
        private final List<Slow> slow = new ArrayList<>();
    }

    /** @param noticed run when it keeps a step back */
    private record Pause(Runnable noticed) {}

    /** @param noticed run when it makes a step later */
    private record Slow(LongSupplier nanos, Runnable noticed) {}

    private final WorldCore core;
    /** Of those that were ever paused or slow. */
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    Hosts(WorldCore core) {
        this.core = core;
    }

    private @Nullable Host of(Optional<String> name, Runnable step) {
        return hosts.isEmpty()
                ? null
                : name.or(() -> ofSubscriber(step)).map(hosts::get).orElse(null);
    }

    /** On which a subscriber of an adapter's object runs: {@code /system/hca-network/b/cq-3/subscription-1}. */
    private static Optional<String> ofSubscriber(Runnable step) {
        if (!(step instanceof Mailbox mailbox) || mailbox.actor() == null) {
            return Optional.empty();
        }
        Iterator<String> path = mailbox.actor().self().path().getElements().iterator();
        while (path.hasNext()) {
            if (path.next().equals(NETWORK)) {
                return path.hasNext() ? Optional.of(path.next()) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Host host(String name) {
        return hosts.computeIfAbsent(name, absent -> new Host());
    }

    /** Runs the step, or keeps it until its host goes on. */
    void run(Optional<String> name, Runnable step) {
        Host host = of(name, step);
        if (host == null || host.pauses.isEmpty() || core.isClosed() || host.held.size() == MAX_HELD) {
            core.execute(step);
        } else {
            host.held.add(step);
            host.pauses.forEach(pause -> pause.noticed.run());
        }
    }

    /** How much later that host takes a step now, in nanoseconds. */
    long slowness(Optional<String> name, Runnable step) {
        Host host = of(name, step);
        if (host == null || host.slow.isEmpty()) {
            return 0;
        }
        long max = 0;
        for (Slow each : host.slow) {
            long nanos = each.nanos.getAsLong();
            if (nanos > 0) {
                each.noticed.run();
                max = Math.max(max, nanos);
            }
        }
        return max;
    }

    /**
     * No program of it takes a step until the result is run.
     *
     * @param noticed run when one would have
     */
    Runnable pause(String name, Runnable noticed) {
        Host host = host(name);
        Pause pause = new Pause(noticed);
        host.pauses.add(pause);
        return () -> {
            host.pauses.remove(pause);
            if (host.pauses.isEmpty()) {
                goesOn(host);
            }
        };
    }

    /**
     * Each step of its programs comes so much later, until the result is run.
     *
     * @param nanos of one step after the other
     * @param noticed run when one does
     */
    Runnable slow(String name, LongSupplier nanos, Runnable noticed) {
        Slow slow = new Slow(nanos, noticed);
        host(name).slow.add(slow);
        return () -> host(name).slow.remove(slow);
    }

    /** All go on, in their own time, from now on. */
    void go() {
        hosts.values().forEach(this::goesOn);
        hosts.clear();
    }

    private void goesOn(Host host) {
        host.held.forEach(core::execute);
        host.held.clear();
    }
}
