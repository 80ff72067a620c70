package org.hcaactors.adapter.device;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.memory.AddressSpace;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;
import org.jspecify.annotations.Nullable;

/** A process of the host: an address space. */
final class ProcessHandle implements HostProcess {
    private final String name;
    private final AdapterHandle adapter;
    private final List<ContextHandle> contexts = new ArrayList<>();
    private final AddressSpace space = new AddressSpace();
    private @Nullable CompletionStage<LeakReport> ending;

    ProcessHandle(String name, AdapterHandle adapter) {
        this.name = name;
        this.adapter = adapter;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public HostMemory map(ByteBuffer direct) {
        return space.map(direct);
    }

    @Override
    public HostMemory allocate(long lengthBytes) {
        return space.allocate(lengthBytes);
    }

    @Override
    public DeviceContext open() {
        synchronized (contexts) {
            if (ending != null || adapter.door().isClosed()) {
                throw VerbsException.invalid(
                        "process " + name + " is ending, or the network of " + adapter.name() + " is closed");
            }
            ContextHandle context = new ContextHandle(adapter, this);
            contexts.add(context);
            return context;
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

    LeakReport leaks() {
        return new LeakReport(openContexts().stream()
                .flatMap(context -> context.openObjects().leaks().stream())
                .toList());
    }

    @Override
    public CompletionStage<LeakReport> exit() {
        synchronized (contexts) {
            if (ending == null) {
                CompletionStage<LeakReport> end = closeAll();
                ending = end;
                end.whenComplete((report, failure) -> ended());
                return end;
            }
            return ending;
        }
    }

    private CompletionStage<LeakReport> closeAll() {
        LeakReport report = leaks();
        CompletionStage<Void> last = CompletableFuture.completedStage(null);
        for (ContextHandle context : openContexts()) {
            last = last.thenCompose(done -> context.closeAsync());
        }
        return last.thenApply(done -> report);
    }

    /** The next process of that name may open the adapter. */
    private void ended() {
        synchronized (contexts) {
            ending = null;
        }
    }

    AddressSpace space() {
        return space;
    }
}
