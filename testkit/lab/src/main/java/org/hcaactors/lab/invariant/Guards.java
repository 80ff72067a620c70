// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Octets;

/**
 * Memory that only the adapter may change from the moment it is guarded: a shadow takes every write that the trace tells,
 * and at rest the two must be equal, byte for byte.
 */
public final class Guards implements Invariant {
    private record Guarded(String port, String process, HostMemory memory, byte[] shadow) {
        boolean holds(String otherPort, String otherProcess, long address) {
            return port.equals(otherPort)
                    && process.equals(otherProcess)
                    && address >= memory.address()
                    && address < memory.address() + shadow.length;
        }
    }

    private final List<Guarded> guarded = new ArrayList<>();

    /** Guards memory of that process from now on; at most 2^31 - 1 bytes. */
    public void guard(String adapter, String process, HostMemory memory) {
        byte[] shadow = memory.read(0, Math.toIntExact(memory.lengthBytes()));
        guarded.add(new Guarded(adapter, process, memory, shadow));
    }

    boolean covers(String port, String process, long address) {
        return guarded.stream().anyMatch(each -> each.holds(port, process, address));
    }

    @Override
    public String name() {
        return "guarded-memory";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        if (guarded.isEmpty()) {
            return;
        }
        switch (event) {
            case HcaEvent.MemoryWritten write ->
                apply(write.port(), write.key(), write.address(), write.bytes(), known);
            case HcaEvent.AtomicExecuted atomic -> {
                byte[] after = ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(atomic.after())
                        .array();
                apply(atomic.port(), atomic.key(), atomic.address(), Octets.copyOf(after), known);
            }
            default -> {}
        }
    }

    private void apply(String port, int key, long address, Octets bytes, Known known) {
        int done = 0;
        for (Filling.Run run : known.fillings().leaves(port, key, address, bytes.length())) {
            Octets part = bytes.slice(done, run.count());
            known.key(port, run.key()).ifPresent(region -> apply(region, run.address() + region.shift(), part));
            done += run.count();
        }
    }

    private void apply(HcaEvent.Registered region, long address, Octets bytes) {
        if (region.kind() == HcaEvent.KeyKind.NULL_REGION) {
            return;
        }
        boolean physical = region.kind() == HcaEvent.KeyKind.PHYSICAL_REGION;
        for (Guarded each : guarded) {
            long shown = physical ? address - each.memory.busAddress() + each.memory.address() : address;
            if (each.holds(region.port(), physical ? each.process : region.process(), shown)) {
                int at = (int) (shown - each.memory.address());
                bytes.slice(0, Math.min(bytes.length(), each.shadow.length - at))
                        .copyTo(each.shadow, at);
            }
        }
    }

    @Override
    public void atQuiet(Known known, Report report) {
        guarded.removeIf(each -> !each.memory.isMapped());
        for (Guarded each : guarded) {
            int different = Arrays.mismatch(each.memory.read(0, each.shadow.length), each.shadow);
            if (different >= 0) {
                report.broken("%s/%s: the byte at 0x%x changed, and no request wrote it"
                        .formatted(each.port, each.process, each.memory.address() + different));
            }
        }
    }
}
