// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoPages;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.host.PeerBuffers;
import org.hcaactors.adapter.host.ProcessAccesses;
import org.hcaactors.adapter.host.ProgramSpace;
import org.hcaactors.adapter.inline.InlineVariables;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageAllocationSettings;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.ProgramMemory;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handle of a process of the host: its address space, contexts and threads. */
final class ProcessHandle implements HostProcess {
    /** The text is built only for the resource audit. */
    private record Exit(String process) {
        @Override
        public String toString() {
            return "exit of process " + process;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProcessHandle.class);

    private final String name;
    private final Credentials credentials;
    private final AdapterHandle adapter;
    private final List<ContextHandle> contexts = new ArrayList<>();
    /** Variables about which a warning was given. */
    private final Set<PageAllocationSettings.Ignored> warned = new LinkedHashSet<>();

    private final AddressSpace space;
    private final Optional<ProgramMemory> program;
    private final ProcessThreads threads;
    private final ProcessTimers timers = new ProcessTimers();
    private final CompletableFuture<LeakReport> ended = new CompletableFuture<>();
    private boolean exiting;
    private volatile boolean killed;

    /** @param program memory of the program that is the process; empty if the process allocates its memory in the JVM */
    ProcessHandle(String name, Credentials credentials, AdapterHandle adapter, Optional<ProgramMemory> program) {
        this.name = name;
        this.credentials = credentials;
        this.adapter = adapter;
        // rule memory-locked
        long maxLocked =
                credentials.isRoot() ? Long.MAX_VALUE : adapter.host().machine().lockedMemory();
        this.program = program;
        space = program.<AddressSpace>map(memory -> new ProgramSpace(memory, maxLocked, accesses()))
                .orElseGet(() -> new ModelledSpace(
                        adapter.host().physical(), adapter.host().pages(), maxLocked, accesses()));
        threads = new ProcessThreads(name, adapter.commandSender());
        adapter.services().audit().opened(this::snapshot);
    }

    private ProcessAccesses accesses() {
        ResourceAudit audit = adapter.services().audit();
        return audit.followsBuffers()
                ? (address, lengthBytes, writes) -> audit.accessed(adapter.name(), name, address, lengthBytes, writes)
                : ProcessAccesses.NONE;
    }

    private ResourceSnapshot snapshot() {
        synchronized (contexts) {
            return new ResourceSnapshot.Process(
                    adapter.name(), name, space.count(), threads.all().size(), exiting);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Credentials credentials() {
        return credentials;
    }

    // rule memory-program
    /** True if the process is the program with that memory. */
    boolean isOf(ProgramMemory memory) {
        return program.filter(memory::equals).isPresent();
    }

    @Override
    public PeerMemory allocatePeer(long lengthBytes) {
        checkAlive();
        return new PeerBuffers(space.allocating().allocatePeer(lengthBytes));
    }

    @Override
    public HostMemory map(ByteBuffer direct) {
        checkAlive();
        return space.allocating().map(direct);
    }

    @Override
    public HostMemory allocate(long lengthBytes) {
        checkAlive();
        return space.allocating().allocate(lengthBytes);
    }

    @Override
    public HostMemory mapAt(long address, long lengthBytes) {
        checkAlive();
        return space.mapAt(address, lengthBytes);
    }

    @Override
    public byte[] read(long address, int lengthBytes) {
        adapter.services().audit().accessed(adapter.name(), name, address, lengthBytes, false);
        byte[] copy = new byte[lengthBytes];
        checkMapped(space.bytes().read(address, copy, 0, lengthBytes), address, lengthBytes);
        return copy;
    }

    @Override
    public void write(long address, byte[] bytes) {
        adapter.services().audit().accessed(adapter.name(), name, address, bytes.length, true);
        boolean whole = space.bytes().write(address, Octets.copyOf(bytes), 0, bytes.length);
        checkMapped(whole, address, bytes.length);
    }

    private static void checkMapped(boolean whole, long address, int count) {
        if (!whole) {
            throw AddressSpace.unmapped(address, count);
        }
    }

    @Override
    public HostMemory allocateAt(long address, long lengthBytes) {
        checkAlive();
        return space.allocating().allocateFixed(address, lengthBytes);
    }

    @Override
    public HostMemory allocateHuge(long lengthBytes) {
        checkAlive();
        return space.allocating().allocateHuge(lengthBytes);
    }

    @Override
    public long evict(long address, long lengthBytes) {
        if (address < 0 || lengthBytes < 1 || address + lengthBytes < 0) {
            throw VerbsException.invalid("%d bytes at 0x%x can't be evicted; 1 byte or more below 2^63 is allowed"
                    .formatted(lengthBytes, address));
        }
        return space.evict(address, lengthBytes);
    }

    @Override
    public DeviceContext open() {
        return open(adapter.host().variables());
    }

    @Override
    public DeviceContext open(Map<String, String> variables) {
        Profile profile = services().profile();
        Function<String, Optional<String>> values = name -> Optional.ofNullable(variables.get(name));
        PageAllocationSettings attributes = termsOf(values, profile);
        InlineVariables inline = InlineVariables.of(values, profile);
        DeviceContext context = open(() -> attributes, () -> inline);
        warn(attributes);
        return context;
    }

    // rule pages-variables-live
    @Override
    public DeviceContext open(Function<String, Optional<String>> variables) {
        Objects.requireNonNull(variables, "variables");
        Profile profile = services().profile();
        Function<String, Optional<String>> checked = name -> value(name, variables);
        return open(() -> warn(termsOf(checked, profile)), () -> InlineVariables.of(checked, profile));
    }

    private static Optional<String> value(String name, Function<String, Optional<String>> variables) {
        try {
            return Objects.requireNonNull(variables.apply(name), "null");
        } catch (RuntimeException thrown) {
            throw new VerbsException(Errno.EINVAL, "the value of " + name + " can't be read", thrown);
        }
    }

    private DeviceContext open(Supplier<PageAllocationSettings> attributes, Supplier<InlineVariables> inline) {
        Services services = services();
        new VerbCalls(services.verbGuard(), adapter.name(), name, () -> !isAlive()).check(Verb.OPEN_DEVICE);
        synchronized (contexts) {
            checkAlive();
            PageAllocator pages = new PageAllocator(adapter.host().pages(), attributes, this::refused);
            ContextHandle context = new ContextHandle(adapter, services, this, pages, inline);
            contexts.add(context);
            return context;
        }
    }

    private Services services() {
        return adapter.services().ofProcess(() -> killed);
    }

    // rule pages-variables
    /** Warns once in a process of each variable that is ignored. */
    private PageAllocationSettings warn(PageAllocationSettings read) {
        List<PageAllocationSettings.Ignored> ignored = read.ignored();
        if (!ignored.isEmpty()) {
            synchronized (warned) {
                ignored.stream().filter(warned::add).forEach(this::warn);
            }
        }
        return read;
    }

    /** Warns in the trace, or in the log if there is no trace. */
    private void warn(PageAllocationSettings.Ignored variable) {
        AdapterTrace trace = adapter.services().trace();
        if (!trace.enabled()) {
            LOG.warn("{}={} is ignored: {} is allowed", variable.variable(), variable.value(), variable.allowed());
            return;
        }
        trace.record(
                0,
                at -> new HcaEvent.VariableIgnored(
                        at, trace.port(), name, variable.variable(), variable.value(), variable.allowed()));
    }

    private void refused(NoPages reason) {
        AdapterTrace trace = adapter.services().trace();
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.PageAllocationFailed(at, trace.port(), name, reason));
        }
    }

    @Override
    public CompletionStage<Waiter> startWaiter() {
        try {
            checkAlive();
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return threads.start(services());
    }

    @Override
    public CompletionStage<Void> after(Duration time) {
        return timers.start(time, adapter.services().callers());
    }

    @Override
    public long nanoTime() {
        return adapter.services().clock().getAsLong();
    }

    /** @throws VerbsException EINVAL unless it is a live thread of this process */
    WaiterHandle require(Waiter waiter) {
        return threads.require(waiter);
    }

    void endThread(int number) {
        threads.end(number);
    }

    private static PageAllocationSettings termsOf(Function<String, Optional<String>> variables, Profile profile) {
        return profile.memory().has(MemoryCapabilities.Feature.ALLOCATION)
                ? PageAllocationSettings.of(variables)
                : PageAllocationSettings.SINGLE;
    }

    @Override
    public boolean isAlive() {
        synchronized (contexts) {
            return !exiting && !adapter.commandSender().isClosed();
        }
    }

    @MutationPoint("process-handle.check-alive")
    private void checkAlive() {
        synchronized (contexts) {
            if (!isAlive()) {
                throw VerbsException.invalid(
                        "process " + name + " has exited, or the network of " + adapter.name() + " is closed");
            }
        }
    }

    void closed(ContextHandle context) {
        synchronized (contexts) {
            contexts.remove(context);
        }
    }

    private List<ContextHandle> openContexts() {
        synchronized (contexts) {
            return List.copyOf(contexts);
        }
    }

    /** Returns the pages of its memory and of the queues that it has open. */
    Stream<AllocatedPages> pages() {
        Stream<AllocatedPages> queues = openContexts().stream()
                .flatMap(context -> context.open().existing().stream())
                .filter(PageHolder.class::isInstance)
                .map(handle -> ((PageHolder) handle).buffer());
        return Stream.concat(space.pages().stream(), queues);
    }

    /** Returns the command senders of its threads and open objects. */
    Stream<CommandSender<?>> commandSenders() {
        return Stream.concat(
                threads.all().stream().map(WaiterHandle::commandSender),
                openContexts().stream()
                        .flatMap(context -> context.open().existing().stream())
                        .filter(ActorHandle.class::isInstance)
                        .map(handle -> ((ActorHandle) handle).commandSender()));
    }

    LeakReport leaks() {
        return new LeakReport(Stream.concat(
                        openContexts().stream().flatMap(context -> context.openObjects().leaks().stream()),
                        threads.all().stream()
                                .map(thread -> new LeakReport.Leak(adapter.name(), name, thread.describe())))
                .toList());
    }

    @Override
    public CompletionStage<LeakReport> exit() {
        if (isFirstExit()) {
            adapter.host().exiting(this);
            space.die();
            timers.end(adapter.services().callers());
            adapter.commandSender().pending(new Exit(name), ended);
            LeakReport report = leaks();
            List<Supplier<CompletionStage<Void>>> steps = List.of(threads::end, this::closeContexts, threads::close);
            CompletionStage<LeakReport> closed = SequentialClose.each(steps, Supplier::get)
                    .whenComplete((done, failure) -> {
                        unmap();
                        adapter.host().exited(this);
                    })
                    .thenApply(done -> report);
            StageOutcome.of(closed, ended);
        }
        return ended.minimalCompletionStage();
    }

    @Override
    public void close() {
        adapter.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        return "process " + name;
    }

    // rule completion-killed
    @Override
    public CompletionStage<LeakReport> kill() {
        killed = true;
        return exit();
    }

    private boolean isFirstExit() {
        synchronized (contexts) {
            boolean first = !exiting;
            exiting = true;
            return first;
        }
    }

    private CompletionStage<Void> closeContexts() {
        return SequentialClose.each(openContexts(), ContextHandle::closeAsync);
    }

    /** Returns its memory to the JVM. */
    @MutationPoint("process-handle.unmap")
    void unmap() {
        space.close();
    }

    AddressSpace space() {
        return space;
    }

    @Override
    public String toString() {
        return "process " + name + " of " + adapter.name();
    }
}
