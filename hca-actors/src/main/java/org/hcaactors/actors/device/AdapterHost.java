// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.xrc.XrcDomains;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.host.PhysicalMemory;
import org.hcaactors.adapter.host.SharedMemory;
import org.hcaactors.adapter.inline.RemappedKeys;
import org.hcaactors.adapter.page.HostPages;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.ProgramMemory;

/** Host machine of an adapter: its processes, and the memory that they share. Threads: any. */
public final class AdapterHost {
    private final HostMachine machine;
    private final Map<String, String> variables;
    private final PhysicalMemory physical = new PhysicalMemory();
    private final HostPages pages;
    private final SharedMemory shared = new SharedMemory();
    private final XrcDomains xrcDomains = new XrcDomains();
    private final RemappedKeys foreign = new RemappedKeys();
    private final TreeMap<String, ProcessHandle> processes = new TreeMap<>();

    /** Exiting processes, in the order of their exits. */
    private final Set<ProcessHandle> exiting = new LinkedHashSet<>();

    /** @param variables the environment of the machine's processes */
    AdapterHost(HostMachine machine, Map<String, String> variables) {
        this.machine = machine;
        this.variables = variables;
        pages = new HostPages(machine);
    }

    ResourceSnapshot snapshot(String adapter) {
        return pages.snapshot(adapter, all().stream().flatMap(ProcessHandle::pages));
    }

    HostMachine machine() {
        return machine;
    }

    Map<String, String> variables() {
        return variables;
    }

    PhysicalMemory physical() {
        return physical;
    }

    HostPages pages() {
        return pages;
    }

    SharedMemory shared() {
        return shared;
    }

    XrcDomains xrcDomains() {
        return xrcDomains;
    }

    RemappedKeys foreign() {
        return foreign;
    }

    List<FreeMemory> freeMemory() {
        return pages.free();
    }

    /**
     * Limits the free blocks of every node from now on, as {@link MemoryNode#withLargestFreeOrder} does.
     *
     * @throws IllegalArgumentException as there
     */
    public void fragmentMemory(int order) {
        if (order < PageLayout.MIN_ORDER || order > MemoryNode.MAX_ORDER) {
            throw new IllegalArgumentException("the order of a block is " + order + "; " + PageLayout.MIN_ORDER + " to "
                    + MemoryNode.MAX_ORDER + " is allowed");
        }
        pages.fragment(order);
    }

    /** Ends the thread of that number, of any process; without effect if there is none. */
    public void endThread(int number) {
        all().forEach(process -> process.endThread(number));
    }

    /**
     * Returns the process of that name, created if there is none.
     *
     * @param identity required credentials; empty for any
     * @throws VerbsException EINVAL if the process has other credentials
     */
    synchronized ProcessHandle process(
            String name, Optional<Credentials> identity, BiFunction<String, Credentials, ProcessHandle> make) {
        ProcessHandle found =
                processes.computeIfAbsent(name, absent -> make.apply(absent, identity.orElse(Credentials.DEFAULT)));
        identity.filter(requested -> !requested.equals(found.credentials())).ifPresent(requested -> {
            throw VerbsException.invalid("process " + name + " can't run as " + requested
                    + "; it exists already and runs as " + found.credentials());
        });
        return found;
    }

    // rule memory-program
    /**
     * Returns the process of that name with a program's memory, created if there is none.
     *
     * @throws VerbsException EINVAL if the process has other memory
     */
    synchronized ProcessHandle process(String name, ProgramMemory memory, Function<String, ProcessHandle> make) {
        ProcessHandle found = processes.computeIfAbsent(name, make);
        if (!found.isOf(memory)) {
            throw VerbsException.invalid("process " + name + " can't have this program's memory; it exists already with"
                    + " memory of its own or of another program");
        }
        return found;
    }

    /** Returns the names, sorted. */
    public synchronized List<String> processNames() {
        return List.copyOf(processes.keySet());
    }

    /** The name can be used by a new process. */
    synchronized void exiting(ProcessHandle process) {
        if (processes.remove(process.name(), process)) {
            exiting.add(process);
        }
    }

    synchronized void exited(ProcessHandle process) {
        exiting.remove(process);
    }

    private synchronized List<ProcessHandle> all() {
        return Stream.concat(exiting.stream(), processes.values().stream()).toList();
    }

    /** Returns the command senders of the objects that the processes have open. */
    Stream<CommandSender<?>> commandSenders() {
        return all().stream().flatMap(ProcessHandle::commandSenders);
    }

    /** Returns the objects that the processes created and did not close. */
    public LeakReport leaks() {
        return new LeakReport(all().stream()
                .flatMap(process -> process.leaks().leaks().stream())
                .toList());
    }

    /** Ends the processes, one after the other. */
    public CompletionStage<Void> closeProcesses() {
        return SequentialClose.each(all(), process -> process.exit().thenAccept(report -> {}));
    }

    /** Kills the processes, all at once. */
    CompletionStage<Void> killProcesses() {
        return CompletableFuture.allOf(all().stream()
                .map(process -> process.kill().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Frees the memory of all processes. */
    void unmap() {
        all().forEach(ProcessHandle::unmap);
    }
}
