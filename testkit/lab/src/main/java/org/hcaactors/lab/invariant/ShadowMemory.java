// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.lab.program.MemoryObserver;

/**
 * Invariant of guarded memory, which only the adapter may change: a shadow copy applies every write in the trace, and when the
 * world is idle both must be equal, byte for byte.
 */
public final class ShadowMemory implements Invariant {
    /** An address of a process. */
    public record Place(String port, String process, long address) {
        @Override
        public String toString() {
            return "0x%x of %s/%s".formatted(address, port, process);
        }
    }

    /** Guarded memory as one process maps it; shared memory may be guarded through each mapping. */
    private record Guarded(String port, String process, HostMemory memory, ByteOrder order, byte[] shadow) {
        boolean holds(Place place) {
            return port.equals(place.port)
                    && process.equals(place.process)
                    && place.address >= memory.address()
                    && place.address < memory.address() + shadow.length;
        }

        boolean holds(String otherPort, long busAddress) {
            return port.equals(otherPort)
                    && busAddress >= memory.busAddress()
                    && busAddress < memory.busAddress() + shadow.length;
        }
    }

    private final List<Guarded> guarded = new ArrayList<>();

    /**
     * Guards memory of that process from now on; at most 2^31 - 1 bytes. Each mapping of shared memory is guarded separately: a
     * write through a mapping that is not guarded counts as a violation.
     *
     * @param order the host's byte order
     */
    public void guard(String adapter, String process, HostMemory memory, ByteOrder order) {
        byte[] shadow = MemoryObserver.read(memory, 0, Math.toIntExact(memory.lengthBytes()));
        guarded.add(new Guarded(adapter, process, memory, order, shadow));
    }

    /**
     * Returns the guarded byte under a key, as the process that guarded it first addresses it: the same for all keys and
     * processes that map it.
     */
    public Optional<Place> place(HcaEvent.Registered key, long address) {
        return place(key.port(), bus(key, address));
    }

    /** Returns the guarded byte that a process wrote. */
    public Optional<Place> place(HcaEvent.InlineCopied copy) {
        return place(copy.port(), bus(new Place(copy.port(), copy.process(), copy.address())));
    }

    private Optional<Place> place(String port, OptionalLong bus) {
        if (bus.isPresent()) {
            long at = bus.getAsLong();
            for (Guarded each : guarded) {
                if (each.holds(port, at)) {
                    return Optional.of(
                            new Place(each.port, each.process, at - each.memory.busAddress() + each.memory.address()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the bus address (rule memory-physical); empty if the byte is not guarded. */
    private OptionalLong bus(HcaEvent.Registered key, long address) {
        return switch (key.kind()) {
            case NULL_REGION -> OptionalLong.empty();
            case PHYSICAL_REGION -> OptionalLong.of(address);
            case MEMORY_REGION, PAGED_REGION, HOST_PAGED_REGION, MEMORY_WINDOW, INDIRECT_KEY ->
                bus(new Place(key.port(), key.process(), address + key.shift()));
        };
    }

    private OptionalLong bus(Place place) {
        for (Guarded each : guarded) {
            if (each.holds(place)) {
                return OptionalLong.of(place.address - each.memory.address() + each.memory.busAddress());
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public String name() {
        return "guarded-memory";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.AtomicExecuted.class, HcaEvent.InlineCopied.class, HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        if (guarded.isEmpty()) {
            return;
        }
        switch (event) {
            case HcaEvent.MemoryWritten write ->
                apply(write.port(), write.key(), write.address(), write.bytes(), traceState);
            case HcaEvent.InlineCopied copy ->
                apply(copy.port(), bus(new Place(copy.port(), copy.process(), copy.address())), copy.bytes());
            case HcaEvent.AtomicExecuted atomic -> {
                Octets after = AtomicResult.bytes(atomic.after(), order(atomic.port()));
                apply(atomic.port(), atomic.key(), atomic.address(), after, traceState);
            }
            default -> {}
        }
    }

    /** All memory of a host has one byte order. */
    private ByteOrder order(String port) {
        return guarded.stream()
                .filter(each -> each.port.equals(port))
                .map(Guarded::order)
                .findFirst()
                .orElse(ByteOrder.nativeOrder());
    }

    private void apply(String port, int key, long address, Octets bytes, TraceState traceState) {
        int done = 0;
        for (Filling.Run run : traceState.fillings().leaves(port, key, address, bytes.length())) {
            Octets part = bytes.slice(done, run.count());
            traceState.key(port, run.key()).ifPresent(region -> apply(region, run.address(), part));
            done += run.count();
        }
    }

    private void apply(HcaEvent.Registered region, long address, Octets bytes) {
        apply(region.port(), bus(region, address), bytes);
    }

    private void apply(String port, OptionalLong to, Octets bytes) {
        to.ifPresent(bus -> guarded.stream()
                .filter(each -> each.holds(port, bus))
                .forEach(each -> {
                    int at = (int) (bus - each.memory.busAddress());
                    bytes.slice(0, Math.min(bytes.length(), each.shadow.length - at))
                            .copyTo(each.shadow, at);
                }));
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        guarded.removeIf(each -> !each.memory.isMapped());
        for (Guarded each : guarded) {
            int different = Arrays.mismatch(MemoryObserver.read(each.memory, 0, each.shadow.length), each.shadow);
            if (different >= 0) {
                report.broken("%s/%s: the byte at 0x%x changed, and no request wrote it"
                        .formatted(each.port, each.process, each.memory.address() + different));
            }
        }
    }
}
