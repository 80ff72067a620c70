// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.firmware.FirmwareStore;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.fabric.uplink.Uplink;

/**
 * External dependencies of a network: clock, trace, random numbers, and a way to wait. The testkit supplies its own.
 *
 * <p>Immutable. Start from {@link #production} and replace what differs; so later versions can add properties. Its functions
 * are called on the network's threads, as each is documented.
 */
public final class Environment {
    /** Maximum number of shards of a network. */
    public static final int MAX_SHARDS = 256;

    /** Maximum number of shards if none is set. */
    public static final int DEFAULT_MAX_SHARDS = 8;

    /**
     * Waits for a stage.
     *
     * <p>Threads: any thread that waits. Limits: the given time.
     */
    @FunctionalInterface
    public interface Awaiter {
        /**
         * Returns the stage's value. Throws its failure unchanged if it is unchecked, and AwaitTimeoutException after the time.
         *
         * @param reason text about what is still pending, for that exception
         */
        <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason);

        /**
         * Called when a program polled a completion queue and found nothing, or drives a shard, on its thread. Lets a simulation whose adapters run
         * on that thread continue; by default, no effect.
         *
         * @param again its last poll found nothing, either
         * @return true if a task ran or time passed
         */
        default boolean progress(boolean again) {
            return false;
        }

        /** True if {@link #progress} runs the adapters: a simulation on the program's thread. */
        default boolean isSimulation() {
            return false;
        }
    }

    /**
     * The host machines of the adapters.
     *
     * @param variables the environment of their processes
     * @param firmware store of their adapters' settings
     * @param names resolves names of hosts that are no adapters
     * @param cable to other networks and adapters
     * @param uplink to other nodes, if there is no cable
     */
    private record Hosts(
            Function<String, HostMachine> machines,
            Map<String, String> variables,
            FirmwareStore firmware,
            Function<String, Optional<InetAddress>> names,
            Optional<Cable> cable,
            Optional<Uplink> uplink) {}

    /**
     * Interceptors between programs and adapters.
     *
     * @param callers where the stages of a host's programs complete; empty: on the caller dispatcher
     */
    private record Guards(
            ReceivesInterceptor receives, VerbGuard verbs, Optional<Function<String, Executor>> callers) {}

    private final LongSupplier clock;
    private final TraceSink trace;
    private final FabricLimits limits;
    private final Awaiter awaiter;
    private final Function<String, FirstNumbers> numbers;
    private final Consumer<Throwable> exceptionHandler;
    private final ResourceAudit audit;
    private final Guards guards;
    private final Hosts hosts;
    private final OptionalInt shards;
    private final boolean verbsTakeTime;

    private Environment(
            LongSupplier clock,
            TraceSink trace,
            FabricLimits limits,
            Awaiter awaiter,
            Function<String, FirstNumbers> numbers,
            Consumer<Throwable> exceptionHandler,
            ResourceAudit audit,
            Guards guards,
            Hosts hosts,
            OptionalInt shards,
            boolean verbsTakeTime) {
        this.clock = clock;
        this.trace = trace;
        this.limits = limits;
        this.awaiter = awaiter;
        this.numbers = numbers;
        this.exceptionHandler = exceptionHandler;
        this.audit = audit;
        this.guards = guards;
        this.hosts = hosts;
        this.shards = shards;
        this.verbsTakeTime = verbsTakeTime;
    }

    /**
     * Returns the JVM's clock, no trace, waiting by parking the thread, random first numbers, no resource audit; the first
     * exception of an interceptor or tap is logged.
     */
    public static Environment production() {
        return new Environment(
                System::nanoTime,
                TraceSink.NONE,
                FabricLimits.DEFAULT,
                ParkedThread.AWAITER,
                adapter -> FirstNumbers.drawn(ThreadLocalRandom.current()),
                new FirstFailureLog(),
                ResourceAudit.NONE,
                new Guards(ReceivesInterceptor.NONE, VerbGuard.NONE, Optional.empty()),
                new Hosts(
                        adapter -> HostMachine.DEFAULT,
                        System.getenv(),
                        FirmwareStore.NONE,
                        name -> Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                OptionalInt.empty(),
                false);
    }

    /** Returns the clock: nanoseconds from any origin, never going back. */
    public LongSupplier clock() {
        return clock;
    }

    /** Returns the receiver of events. */
    public TraceSink trace() {
        return trace;
    }

    /** Returns the limits of the fabric. */
    public FabricLimits limits() {
        return limits;
    }

    /** Returns how {@link RdmaNetwork#await} waits. */
    public Awaiter awaiter() {
        return awaiter;
    }

    /** Returns the first numbers of an adapter by its name; they are the only random choice of a network. */
    public Function<String, FirstNumbers> numbers() {
        return numbers;
    }

    /** Returns the receiver of exceptions of interceptors and taps, called on the fabric's thread; it must not block. */
    public Consumer<Throwable> exceptionHandler() {
        return exceptionHandler;
    }

    /** Returns the resource audit, which records stages, and objects as they are created and destroyed. */
    public ResourceAudit audit() {
        return audit;
    }

    /** Returns the interceptor between queue pairs and their receives. */
    @SuppressWarnings("exports") // For the testkit.
    public ReceivesInterceptor receives() {
        return guards.receives;
    }

    /** Returns the guard that may refuse verbs before they begin. */
    @SuppressWarnings("exports") // For the testkit.
    public VerbGuard verbs() {
        return guards.verbs;
    }

    /** Returns the host machine of an adapter by the adapter's name. */
    public Function<String, HostMachine> machines() {
        return hosts.machines;
    }

    /** Returns the environment of every process: in production, the JVM's own. */
    public Map<String, String> variables() {
        return hosts.variables;
    }

    /**
     * Returns the store of the adapters' firmware settings; by default nothing is stored. If stored settings are damaged,
     * adding the adapter fails with a FirmwareException.
     */
    public FirmwareStore firmware() {
        return hosts.firmware;
    }

    /**
     * Returns the number of shards of a network: by default the number of processors of the JVM, at most {@value
     * #DEFAULT_MAX_SHARDS}; one if the trace requires events in order.
     */
    public int shards() {
        return shards.orElseGet(() -> trace.takesAnyOrder()
                ? Math.min(DEFAULT_MAX_SHARDS, Runtime.getRuntime().availableProcessors())
                : 1);
    }

    // rule memory-verb-times
    /** True if verbs and wake-ups take the times of the profiles; in production they take no time besides their own. */
    public boolean verbsTakeTime() {
        return verbsTakeTime;
    }

    /** Sets whether verbs take those times. Only for virtual time: the timers of production are a thousand times coarser. */
    public Environment withVerbsTakingTime(boolean other) {
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, hosts, shards, other);
    }

    /**
     * Sets the number of shards, 1 to {@value #MAX_SHARDS}, even if the trace requires events in order.
     *
     * @throws IllegalArgumentException for another number
     */
    public Environment withShards(int other) {
        if (other < 1 || other > MAX_SHARDS) {
            throw new IllegalArgumentException(
                    "the number of shards is " + other + "; 1 to " + MAX_SHARDS + " is allowed");
        }
        OptionalInt requested = OptionalInt.of(other);
        return new Environment(
                clock,
                trace,
                limits,
                awaiter,
                numbers,
                exceptionHandler,
                audit,
                guards,
                hosts,
                requested,
                verbsTakeTime);
    }

    /** Sets the store of the adapters' firmware settings. */
    public Environment withFirmware(FirmwareStore other) {
        Hosts others = new Hosts(hosts.machines, hosts.variables, other, hosts.names, hosts.cable, hosts.uplink);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Sets the host machines, by the names of their adapters. */
    public Environment withMachines(Function<String, HostMachine> other) {
        Hosts others = new Hosts(other, hosts.variables, hosts.firmware, hosts.names, hosts.cable, hosts.uplink);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Returns the resolver of host names that are no names of adapters. */
    public Function<String, Optional<InetAddress>> names() {
        return hosts.names;
    }

    /**
     * Sets the resolver of host names that are no names of adapters, such as DNS; without one, nothing else has a name. Called on
     * the thread that connects.
     */
    public Environment withNames(Function<String, Optional<InetAddress>> other) {
        Hosts others = new Hosts(hosts.machines, hosts.variables, hosts.firmware, other, hosts.cable, hosts.uplink);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Returns the cable out of the JVM, if there is one. */
    public Optional<Cable> cable() {
        return hosts.cable;
    }

    /**
     * Sets the cable out of the JVM. The adapters then have the addresses of the cable, in the order in which they are plugged
     * in, and links with at most its MTU. A world of the testkit may have a recorded one, and no other.
     */
    public Environment withCable(Cable other) {
        Hosts others = new Hosts(
                hosts.machines, hosts.variables, hosts.firmware, hosts.names, Optional.of(other), Optional.empty());
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Returns the way out of the JVM that is no cable, if there is one. */
    public Optional<Uplink> uplink() {
        return hosts.uplink;
    }

    /**
     * Sets the way out of the JVM, in place of a cable: for example the other nodes of a cluster. The adapters then have its
     * addresses, and links with at most its MTU. A network uses it once. A world of the testkit has none.
     */
    public Environment withUplink(Uplink other) {
        Hosts others = new Hosts(
                hosts.machines, hosts.variables, hosts.firmware, hosts.names, Optional.empty(), Optional.of(other));
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Sets the environment of every process, in place of the JVM's own. */
    public Environment withVariables(Map<String, String> other) {
        Hosts others =
                new Hosts(hosts.machines, Map.copyOf(other), hosts.firmware, hosts.names, hosts.cable, hosts.uplink);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, others, shards, verbsTakeTime);
    }

    /** Sets the clock, in nanoseconds; it must never go back. */
    public Environment withClock(LongSupplier other) {
        return new Environment(
                other, trace, limits, awaiter, numbers, exceptionHandler, audit, guards, hosts, shards, verbsTakeTime);
    }

    /**
     * Sets the receiver of events. If it requires them in order, the network has one shard unless a number of shards is set.
     */
    public Environment withTrace(TraceSink other) {
        return new Environment(
                clock, other, limits, awaiter, numbers, exceptionHandler, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Sets the limits of the fabric. */
    public Environment withLimits(FabricLimits other) {
        return new Environment(
                clock, trace, other, awaiter, numbers, exceptionHandler, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Sets how {@link RdmaNetwork#await} waits. */
    public Environment withAwaiter(Awaiter other) {
        return new Environment(
                clock, trace, limits, other, numbers, exceptionHandler, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Sets the first numbers, by the names of adapters. */
    public Environment withNumbers(Function<String, FirstNumbers> other) {
        return new Environment(
                clock, trace, limits, awaiter, other, exceptionHandler, audit, guards, hosts, shards, verbsTakeTime);
    }

    /**
     * Sets the receiver of exceptions of interceptors and taps, and of a {@link org.hcaactors.fabric.recording.ReplayException} of
     * a recorded cable; called on the fabric's threads, must not block.
     */
    public Environment withFailureHandler(Consumer<Throwable> other) {
        return new Environment(
                clock, trace, limits, awaiter, numbers, other, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Sets the resource audit, which records stages, and objects as they are created and destroyed. */
    public Environment withAudit(ResourceAudit other) {
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, other, guards, hosts, shards, verbsTakeTime);
    }

    /** Sets the interceptor between queue pairs and their receives. */
    @SuppressWarnings("exports") // For the testkit.
    public Environment withReceives(ReceivesInterceptor other) {
        Guards others = new Guards(other, guards.verbs, guards.callers);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, others, hosts, shards, verbsTakeTime);
    }

    /** Sets the guard that may refuse verbs before they begin; called on callers' threads, must not block. */
    @SuppressWarnings("exports") // For the testkit.
    public Environment withVerbs(VerbGuard other) {
        Guards others = new Guards(guards.receives, other, guards.callers);
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, others, hosts, shards, verbsTakeTime);
    }

    /** Returns where the stages of programs complete, by the name of the adapter; empty: on the caller dispatcher. */
    public Optional<Function<String, Executor>> callers() {
        return guards.callers;
    }

    /** Sets where the stages of each host's programs complete, by the name of its adapter. */
    public Environment withCallers(Function<String, Executor> other) {
        Guards others = new Guards(guards.receives, guards.verbs, Optional.of(other));
        return new Environment(
                clock, trace, limits, awaiter, numbers, exceptionHandler, audit, others, hosts, shards, verbsTakeTime);
    }
}
