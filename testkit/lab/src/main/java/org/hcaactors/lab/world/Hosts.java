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
 * Hosts of a world, each with the name of its adapter. Programs of a host can be paused or slowed. Adapters continue meanwhile,
 * and so does everything that belongs to no host: the test itself, its actors, deadlines of the network, and subscribers that
 * run on an adapter's thread. Belongs to the world's thread.
 */
final class Hosts {
    private static final String NETWORK = "hca-network";

    /** Maximum steps that a paused host keeps; further steps run at once. */
    private static final int MAX_HELD = 1 << 20;

    /** Execution of programs on one host. */
    private static final class Host {
        private final List<Pause> pauses = new ArrayList<>();
        private final List<Runnable> held = new ArrayList<>();
        private final List<Slow> slow = new ArrayList<>();
    }

    /** @param noticed runs when the pause holds a step back */
    private record Pause(Runnable noticed) {}

    /** @param noticed runs when the step is delayed */
    private record Slow(LongSupplier nanos, Runnable noticed) {}

    private final WorldCore core;
    /** Hosts that were ever paused or slowed, by name. */
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    Hosts(WorldCore core) {
        this.core = core;
    }

    private @Nullable Host of(Optional<String> name, Runnable step) {
        return hosts.isEmpty()
                ? null
                : name.or(() -> ofSubscriber(step)).map(hosts::get).orElse(null);
    }

    /**
     * Returns the host on which a subscriber of an adapter's object runs: {@code /system/hca-network/b/cq-3/subscription-1}.
     */
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

    /** Runs the step, or keeps it until its host is resumed. */
    void run(Optional<String> name, Runnable step) {
        Host host = of(name, step);
        if (host == null || host.pauses.isEmpty() || core.isClosed() || host.held.size() == MAX_HELD) {
            core.execute(step);
        } else {
            host.held.add(step);
            host.pauses.forEach(pause -> pause.noticed.run());
        }
    }

    /** Returns the extra delay of a step on that host, in nanoseconds. */
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
     * Holds every step of the host's programs until the returned action is run.
     *
     * @param noticed runs whenever a step is held
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
     * Delays each step of the host's programs until the returned action is run.
     *
     * @param nanos the delay of each step in turn
     * @param noticed runs whenever a step is delayed
     */
    Runnable slow(String name, LongSupplier nanos, Runnable noticed) {
        Slow slow = new Slow(nanos, noticed);
        host(name).slow.add(slow);
        return () -> host(name).slow.remove(slow);
    }

    /** Ends every pause and delay. */
    void go() {
        hosts.values().forEach(this::goesOn);
        hosts.clear();
    }

    private void goesOn(Host host) {
        host.held.forEach(core::execute);
        host.held.clear();
    }
}
