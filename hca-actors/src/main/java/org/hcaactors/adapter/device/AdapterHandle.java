package org.hcaactors.adapter.device;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.adapter.counter.Counters;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;

/** The caller's side of an adapter. */
public final class AdapterHandle implements Adapter {
    /** Starts an actor; how is the network's business. */
    @FunctionalInterface
    public interface Spawner {
        <M> ActorRef<M> spawn(Behavior<M> behavior, String name);
    }

    private final String name;
    private final Profile profile;
    private final Gid gid;
    private final Counters counters = new Counters();
    private final Bus bus;
    private final ActorRef<AdapterActor.Command> actor;
    private final TreeMap<String, ProcessHandle> processes = new TreeMap<>();
    private final AtomicInteger domains = new AtomicInteger();

    public AdapterHandle(String name, Profile profile, Gid gid, LinkProperties link, Bus bus, Spawner spawner) {
        this.name = name;
        this.profile = profile;
        this.gid = gid;
        this.bus = bus;
        AdapterActor.Identity identity =
                new AdapterActor.Identity(name, new PortAddress(gid.high(), gid.low()), profile, counters);
        this.actor = spawner.spawn(AdapterActor.create(identity, link, bus), name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Profile profile() {
        return profile;
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public synchronized HostProcess process(String processName) {
        return processes.computeIfAbsent(processName, n -> new ProcessHandle(n, this));
    }

    @Override
    public SortedMap<String, Long> counters() {
        return counters.byName();
    }

    @Override
    public String toString() {
        return name + " (" + profile.name() + ")";
    }

    Bus bus() {
        return bus;
    }

    ActorRef<AdapterActor.Command> actor() {
        return actor;
    }

    /** Protection domains are numbered across the adapter's processes, from 1. */
    int nextDomain() {
        return domains.incrementAndGet();
    }
}
