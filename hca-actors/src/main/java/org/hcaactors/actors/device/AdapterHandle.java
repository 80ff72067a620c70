// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.connection.CmActor;
import org.hcaactors.actors.key.KeyDirectory;
import org.hcaactors.actors.service.NetworkServices;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.paging.PagerCommands;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.service.NumberDesk;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.CounterDescription;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.FaultLatencies;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Firmware;
import org.hcaactors.api.firmware.FirmwareStore;
import org.hcaactors.api.memory.ProgramMemory;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.mutation.MutationPoint;

/** Handle of an adapter. */
public final class AdapterHandle implements Adapter {
    /** Spawns an actor of the network. */
    @FunctionalInterface
    public interface Spawner {
        <M> ActorRef<M> spawn(Behavior<M> behavior, String name);
    }

    /**
     * Environment of the adapter: its host and the storage of its settings.
     *
     * @param machine host of the adapter
     * @param variables environment variables of the host's processes
     * @param store persistent storage of the adapter's firmware settings
     */
    public record HostEnvironment(HostMachine machine, Map<String, String> variables, FirmwareStore store) {}

    /** Adapter names: readable, and valid as actor names. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63}");

    /** First of the ports that no service has (RFC 6335 6). */
    private static final int FIRST_PORT = 0xC000;

    private static final int LAST_PORT = 0xFFFF;
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final long LINK_LOCAL = 0xFE80_0000_0000_0000L;
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;

    @MutationPoint("adapter-handle.name")
    private final String name;

    private final Platform platform;
    private final FirmwareHandle firmware;

    @MutationPoint("adapter-handle.port")
    private final LocalPort port;

    @MutationPoint("adapter-handle.services")
    private volatile Services services;

    private final CommandSender<AdapterActor.Command> commandSender;
    private final KeyDirectory keys;
    private final NumberDesk numbers;
    private final AdapterHost host;
    private final Audited audited;
    private final AtomicInteger domains = new AtomicInteger();
    private final AtomicInteger ports = new AtomicInteger();

    /**
     * Creates the adapter.
     *
     * @param gids its addresses, at least one; a link-local one of its first is added
     * @param first first numbers of its queue pairs and keys
     * @throws org.hcaactors.api.firmware.FirmwareException if its stored settings cannot be used
     */
    public AdapterHandle(
            String name,
            Profile model,
            List<Gid> gids,
            LinkProperties link,
            FirstNumbers first,
            HostEnvironment hostEnvironment,
            NetworkServices network,
            Spawner spawner) {
        this.name = name;
        host = new AdapterHost(hostEnvironment.machine, hostEnvironment.variables);
        platform = hostEnvironment.machine.platformFor(model);
        firmware = new FirmwareHandle(name, model, platform, hostEnvironment.store, this::restart);
        Profile profile = firmware.effective();
        this.port = new LocalPort(PortAttributes.of(profile.port())
                .withActiveMtu(LocalPort.mtuOn(link, profile.port().maxMtu()))
                .withRate(LocalPort.rateOn(link, profile.port().rate()))
                .withGidTable(withLinkLocal(gids))
                .withPkeyTable(List.of(DEFAULT_PKEY)));
        this.services = Services.of(name, profile, port, unit(profile), network);
        ActorRef<AdapterActor.Command> actor = spawner.spawn(
                AdapterActor.create(services, first, nodeGuid(), link, hostEnvironment.machine.pageLatency()), name);
        this.commandSender = new CommandSender<>(actor, network.callers(), "adapter " + name);
        this.keys = AdapterActor.directory(actor);
        this.numbers = AdapterActor.numbers(actor);
        audited = () -> host.snapshot(name);
        services.audit().opened(audited);
    }

    /** Returns the host machine. */
    public AdapterHost host() {
        return host;
    }

    /** @throws IllegalArgumentException if the name is not legal for an adapter */
    public static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "adapter name \"" + name + "\" is not valid; 1 to 64 letters, digits and . _ : @ + - are allowed,"
                            + " beginning with a letter or a digit");
        }
    }

    /** Adds the GID in fe80::/64 with the interface identifier of the port's MAC address (RFC 4291 A). */
    private static List<Gid> withLinkLocal(List<Gid> gids) {
        Gid linkLocal = new Gid(LINK_LOCAL, interfaceId(gids.getFirst()));
        return Stream.concat(gids.stream(), Stream.of(linkLocal)).distinct().toList();
    }

    private static long interfaceId(Gid gid) {
        long mac = gid.low() & 0xFFFF_FFFFL;
        return 0x0000_00FF_FE00_0000L | (mac >>> 24) << 40 | mac & 0xFF_FFFFL;
    }

    /**
     * Replaces the port's GID table, as an administrator of the host does by changing IP addresses; raises GID_CHANGE. EINVAL
     * if it is empty or too long.
     */
    public void setGidTable(List<Gid> gids) {
        PortAttributes now = port.attributes();
        if (gids.isEmpty() || gids.size() > now.gidTableLength()) {
            throw VerbsException.invalid(
                    "the GID table has " + gids.size() + " entries; 1 to " + now.gidTableLength() + " are allowed");
        }
        port.change(before -> before.withGidTable(gids));
        commandSender.tell(
                new AdapterActor.PortChanged(AsyncEvent.Kind.GID_CHANGE, new EventDetail.GidTableSet(gids.size())));
    }

    /** Replaces the port's P_Key table, as a subnet manager does; raises PKEY_CHANGE. EINVAL if it is too long. */
    public void setPkeyTable(List<Integer> pkeys) {
        PortAttributes now = port.attributes();
        if (pkeys.size() > now.pkeyTableLength()) {
            throw VerbsException.invalid("the P_Key table has " + pkeys.size() + " entries; at most "
                    + now.pkeyTableLength() + " are allowed");
        }
        port.change(before -> before.withPkeyTable(pkeys));
        commandSender.tell(
                new AdapterActor.PortChanged(AsyncEvent.Kind.PKEY_CHANGE, new EventDetail.PkeyTableSet(pkeys.size())));
    }

    /**
     * Replaces the link, which stays up or down as before. The active MTU and the rate follow it; no event is raised, as if a host's MTU is
     * changed. Synchronized, so that the port and the fabric end up with the same link.
     */
    @MutationPoint("adapter-handle.set-link")
    public synchronized void setLink(LinkProperties link) {
        PathMtu mtu = LocalPort.mtuOn(link, profile().port().maxMtu());
        LinkRate rate = LocalPort.rateOn(link, profile().port().rate());
        port.change(before -> before.withActiveMtu(mtu).withRate(rate));
        commandSender.tell(new AdapterActor.Relink(link));
    }

    /**
     * Takes the link up or down; raises PORT_ACTIVE or PORT_ERR if that is a change. Synchronized, so that the last event shows
     * the state of the port.
     */
    @MutationPoint("adapter-handle.plugged")
    public synchronized void plugged(boolean up) {
        if (port.change(before -> before.withActive(up))) {
            commandSender.tell(new AdapterActor.PortChanged(
                    up ? AsyncEvent.Kind.PORT_ACTIVE : AsyncEvent.Kind.PORT_ERR,
                    up ? EventDetail.Plainly.CABLE_IN : EventDetail.Plainly.CABLE_OUT));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Profile profile() {
        return services.profile();
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public ByteOrder byteOrder() {
        return host.machine().byteOrder();
    }

    @Override
    public int shards() {
        return services.shards().count();
    }

    @Override
    public Firmware firmware() {
        return firmware;
    }

    private AtomicUnit unit(Profile profile) {
        return new AtomicUnit(profile.atomics(), byteOrder());
    }

    private CompletionStage<Void> restart(Supplier<Profile> as, EventDetail.Plainly how) {
        return commandSender.isClosed()
                ? CompletableFuture.failedStage(commandSender.closedException())
                : restart(as.get(), how);
    }

    // rule xrc-domain-restart
    /**
     * Replaces the services. XRC domains are forgotten before: a domain opened with the old services is refused or forgotten, and
     * one opened with the new services is kept.
     */
    private void inEffect(Services next) {
        host.xrcDomains().forget();
        services = next;
    }

    // rule firmware-restart
    /**
     * Synchronized: one restart at a time. The link is down during the restart, and up again afterwards if it was up before.
     */
    private synchronized CompletionStage<Void> restart(Profile as, EventDetail.Plainly how) {
        Services next = services.restarted(as, unit(as));
        boolean up = port.attributes().active();
        plugged(false);
        CompletionStage<Void> done =
                commandSender.ask(reply -> new AdapterActor.Restart(next, this::inEffect, how, reply));
        plugged(up);
        return done;
    }

    /** Returns an EUI-64 in the range of locally administered addresses, derived from the port's first GID. */
    @Override
    public long nodeGuid() {
        return interfaceId(port.gid()) | LOCALLY_ADMINISTERED;
    }

    @Override
    public PortAttributes port(int number) {
        if (number != 1) {
            throw VerbsException.invalid("port " + number + " does not exist; the adapter has only port 1");
        }
        return port.attributes();
    }

    @Override
    public HostProcess process(String processName) {
        return host.process(processName, Optional.empty(), this::start);
    }

    @Override
    public HostProcess process(String processName, Credentials identity) {
        return host.process(processName, Optional.of(identity), this::start);
    }

    private ProcessHandle start(String processName, Credentials identity) {
        return new ProcessHandle(processName, identity, this, Optional.empty());
    }

    // rule memory-program
    @Override
    public HostProcess process(String processName, ProgramMemory memory) {
        if (byteOrder() != ByteOrder.nativeOrder()) {
            throw VerbsException.invalid("process " + processName + " can't have a program's memory: its host is "
                    + byteOrder() + ", and programs are " + ByteOrder.nativeOrder());
        }
        return host.process(
                processName, memory, name -> new ProcessHandle(name, Credentials.DEFAULT, this, Optional.of(memory)));
    }

    @Override
    public List<FreeMemory> freeMemory() {
        return host.freeMemory();
    }

    /** Enables or disables the host's notify unit; while it is disabled, interrupts wake threads. */
    public void turnNotifyUnit(boolean on) {
        services.notifyUnit().turn(on);
    }

    @Override
    public SortedMap<String, Long> counters() {
        return services.counters().byName();
    }

    @Override
    public List<CounterDescription> counterDescriptions() {
        return Counter.meanings();
    }

    @Override
    public PagingCounters pagingCounters() {
        return services.paging().read();
    }

    @Override
    public FaultLatencies faultLatencies() {
        return services.paging().latencies();
    }

    @Override
    public void clearFaultLatencies() {
        services.paging().clearLatencies();
    }

    @Override
    public String toString() {
        return name + " (" + profile().name() + ")";
    }

    LocalPort localPort() {
        return port;
    }

    Services services() {
        return services;
    }

    /** Returns the directory in which objects of this adapter find the translators of keys. */
    KeyDirectory keys() {
        return keys;
    }

    /** Returns the allocator to which objects of this adapter return their numbers. */
    NumberDesk numbers() {
        return numbers;
    }

    PagerCommands pager() {
        return new PagerCommands() {
            @Override
            public void tell(PagingCommand command) {
                commandSender.actor().tell(new AdapterActor.Page(command));
            }

            @Override
            public CompletionStage<Void> ask(Function<Reply<Void>, PagingCommand.Verb> order) {
                return commandSender.pass(reply -> new AdapterActor.PageVerb(order.apply(reply)));
            }
        };
    }

    CommandSender<AdapterActor.Command> commandSender() {
        return commandSender;
    }

    /** Returns the pending verbs of the adapter and of the objects that its processes have open. */
    public List<String> unanswered() {
        return Stream.concat(Stream.of(commandSender), host.commandSenders())
                .flatMap(each -> each.unanswered().stream())
                .toList();
    }

    /** Called before its actor stops: fails pending verbs and frees the memory of the processes. */
    public void shut() {
        commandSender.shut();
        host.unmap();
    }

    /**
     * Ends its processes if it has no queue pair; it refuses new ones from then on. Fails with EBUSY if it has some.
     *
     * @return a stage with its actor, which is to be stopped
     */
    public CompletionStage<ActorRef<?>> remove() {
        return commandSender.ask(AdapterActor.Remove::new).thenCompose(refusing -> {
            plugged(false);
            return host.closeProcesses().thenApply(ended -> commandSender.actor());
        });
    }

    /** Called after {@link #remove}, when its actor has stopped. */
    public void removed() {
        shut();
        services.audit().closed(audited);
    }

    /** Communication management forgets its connections, and the processes are killed, all at once. */
    public CompletionStage<Void> losePower() {
        commandSender.actor().tell(AdapterActor.Note.POWER_LOST);
        return host.killProcesses();
    }

    /** Sends a command to communication management. */
    void manage(CmActor.Command command) {
        commandSender.actor().tell(new AdapterActor.Manage(command));
    }

    /** Returns the next port of a program that needs any. */
    int nextPort() {
        return FIRST_PORT + (ports.getAndIncrement() & LAST_PORT - FIRST_PORT);
    }

    /** Returns the next number of a protection domain; unique on the adapter, from 1. */
    int nextDomain() {
        return domains.incrementAndGet();
    }
}
