// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

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
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.FabricLimits;

/**
 * What a network takes from outside: time, chance, a place for its trace, a way to wait. The bench hands in its own.
 *
 * <p>Immutable, and made from {@link #production} by what differs, so that it may grow; what it holds is called from the
 * network's threads, each as it is said here.
 */
public final class Environment {
    /** Shards that a network can have. */
    public static final int MAX_SHARDS = 256;

    /** Shards that a network has at most where nobody says how many. */
    public static final int DEFAULT_MAX_SHARDS = 8;

    /**
     * A way to wait for a stage.
     *
     * <p>Threads: any that waits. Limits: the time that it is given.
     */
    @FunctionalInterface
    public interface Awaiter {
        /**
         * The stage's value; its failure as it is, if it is unchecked; AwaitTimeoutException after the time.
         *
         * @param reason what there is to say then about what still waits
         */
        <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason);
    }

    /**
     * The machines that adapters sit in.
     *
     * @param variables the environment of their processes
     * @param firmware where the settings of their adapters are kept
     */
    private record Hosts(
            Function<String, HostMachine> machines, Map<String, String> variables, FirmwareStore firmware) {}

    /**
     * Who stands between programs and adapters.
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
    private final Consumer<Throwable> complaints;
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
            Consumer<Throwable> complaints,
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
        this.complaints = complaints;
        this.audit = audit;
        this.guards = guards;
        this.hosts = hosts;
        this.shards = shards;
        this.verbsTakeTime = verbsTakeTime;
    }

    /** The JVM's clock, no trace, a parked thread, numbers that begin anywhere, no books; the first complaint is logged. */
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
                new Hosts(adapter -> HostMachine.DEFAULT, System.getenv(), FirmwareStore.NONE),
                OptionalInt.empty(),
                false);
    }

    /** Nanoseconds from any origin, never going back. */
    public LongSupplier clock() {
        return clock;
    }

    /** Where events go. */
    public TraceSink trace() {
        return trace;
    }

    /** Of the fabric. */
    public FabricLimits limits() {
        return limits;
    }

    /** How {@link RdmaNetwork#await} waits. */
    public Awaiter awaiter() {
        return awaiter;
    }

    /** Where the numbers of an adapter begin, by its name; the only chance that a network knows. */
    public Function<String, FirstNumbers> numbers() {
        return numbers;
    }

    /** Takes what interceptors and taps throw, on the fabric's thread; must not block. */
    public Consumer<Throwable> complaints() {
        return complaints;
    }

    /** Who keeps account of stages, and of what is made and goes. */
    public ResourceAudit audit() {
        return audit;
    }

    /** Who stands between queue pairs and their receives. */
    @SuppressWarnings("exports") // For the bench.
    public ReceivesInterceptor receives() {
        return guards.receives;
    }

    /** Who may refuse verbs before they begin. */
    @SuppressWarnings("exports") // For the bench.
    public VerbGuard verbs() {
        return guards.verbs;
    }

    /** The machine that an adapter sits in, by the adapter's name. */
    public Function<String, HostMachine> machines() {
        return hosts.machines;
    }

    /** The environment of every process: in production, the JVM's own. */
    public Map<String, String> variables() {
        return hosts.variables;
    }

    /**
     * Where the settings of its adapters' firmware are kept; nowhere, unless said otherwise. What is damaged there refuses its
     * adapter with a FirmwareException.
     */
    public FirmwareStore firmware() {
        return hosts.firmware;
    }

    /**
     * How many shards a network has: as many as the JVM has processors and at most {@value #MOST_SHARDS_UNASKED}, unless said
     * otherwise; one, where its trace has to come in order.
     */
    public int shards() {
        return shards.orElseGet(() -> trace.takesAnyOrder()
                ? Math.min(DEFAULT_MAX_SHARDS, Runtime.getRuntime().availableProcessors())
                : 1);
    }

    // rule memory-verb-times
    /** Verbs and wake-ups take the time that profiles say; in production they take none beside their own. */
    public boolean verbsTakeTime() {
        return verbsTakeTime;
    }

    /** The same where they take that time, which is for clocks of virtual time: those of production tick a thousand times slower. */
    public Environment withVerbsTakingTime(boolean other) {
        return new Environment(clock, trace, limits, awaiter, numbers, complaints, audit, guards, hosts, shards, other);
    }

    /** That many, 1 to {@value #MOST_SHARDS}, also where a trace wants its events in order; IllegalArgumentException otherwise. */
    public Environment withShards(int other) {
        if (other < 1 || other > MAX_SHARDS) {
            throw new IllegalArgumentException(other + " shards; 1 to " + MAX_SHARDS + " are allowed");
        }
        OptionalInt told = OptionalInt.of(other);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, guards, hosts, told, verbsTakeTime);
    }

    /** Another store for the settings of its adapters. */
    public Environment withFirmware(FirmwareStore other) {
        Hosts others = new Hosts(hosts.machines, hosts.variables, other);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, guards, others, shards, verbsTakeTime);
    }

    /** Other machines, by the names of the adapters that sit in them. */
    public Environment withMachines(Function<String, HostMachine> other) {
        Hosts others = new Hosts(other, hosts.variables, hosts.firmware);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, guards, others, shards, verbsTakeTime);
    }

    /** Another environment of every process, instead of the JVM's own. */
    public Environment withVariables(Map<String, String> other) {
        Hosts others = new Hosts(hosts.machines, Map.copyOf(other), hosts.firmware);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, guards, others, shards, verbsTakeTime);
    }

    /** Another clock, in nanoseconds, that never goes back. */
    public Environment withClock(LongSupplier other) {
        return new Environment(
                other, trace, limits, awaiter, numbers, complaints, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Another sink for events; one that wants them in order makes the network one shard, unless another number is asked for. */
    public Environment withTrace(TraceSink other) {
        return new Environment(
                clock, other, limits, awaiter, numbers, complaints, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Other limits of the fabric. */
    public Environment withLimits(FabricLimits other) {
        return new Environment(
                clock, trace, other, awaiter, numbers, complaints, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Another way for {@link RdmaNetwork#await} to wait. */
    public Environment withAwaiter(Awaiter other) {
        return new Environment(
                clock, trace, limits, other, numbers, complaints, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Other first numbers, by the names of adapters. */
    public Environment withNumbers(Function<String, FirstNumbers> other) {
        return new Environment(
                clock, trace, limits, awaiter, other, complaints, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Another taker of what interceptors and taps throw; called on the fabric's thread, must not block. */
    public Environment withFailureHandler(Consumer<Throwable> other) {
        return new Environment(
                clock, trace, limits, awaiter, numbers, other, audit, guards, hosts, shards, verbsTakeTime);
    }

    /** Another who keeps account of stages, and of what is made and goes. */
    public Environment withAudit(ResourceAudit other) {
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, other, guards, hosts, shards, verbsTakeTime);
    }

    /** Another who stands between queue pairs and their receives. */
    @SuppressWarnings("exports") // For the bench.
    public Environment withReceives(ReceivesInterceptor other) {
        Guards others = new Guards(other, guards.verbs, guards.callers);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, others, hosts, shards, verbsTakeTime);
    }

    /** Another who may refuse verbs before they begin; called on callers' threads, must not block. */
    @SuppressWarnings("exports") // For the bench.
    public Environment withVerbs(VerbGuard other) {
        Guards others = new Guards(guards.receives, other, guards.callers);
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, others, hosts, shards, verbsTakeTime);
    }

    /** Other places where the stages of programs complete, by the name of the adapter; empty: on the caller dispatcher. */
    public Optional<Function<String, Executor>> callers() {
        return guards.callers;
    }

    /** Another place for the stages of each host's programs, by the name of its adapter. */
    public Environment withCallers(Function<String, Executor> other) {
        Guards others = new Guards(guards.receives, guards.verbs, Optional.of(other));
        return new Environment(
                clock, trace, limits, awaiter, numbers, complaints, audit, others, hosts, shards, verbsTakeTime);
    }
}
