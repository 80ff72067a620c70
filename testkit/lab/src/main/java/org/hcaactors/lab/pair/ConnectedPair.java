package org.hcaactors.lab.pair;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.network.RdmaNetwork;

/** Two connected ends, ready to send: what most examples and tests start from. */
public record ConnectedPair(End a, End b) {
    /** Memory, queue sizes and terms of a pair. */
    public record Shape(RcConnection terms, QpCapacity capacity, int cqEntries, long memoryBytes) {
        public static final Shape DEFAULT = new Shape(RcConnection.DEFAULT, QpCapacity.DEFAULT, 1000, 1 << 20);

        public Shape with(RcConnection other) {
            return new Shape(other, capacity, cqEntries, memoryBytes);
        }

        public Shape with(QpCapacity other) {
            return new Shape(terms, other, cqEntries, memoryBytes);
        }

        public Shape withCqEntries(int entries) {
            return new Shape(terms, capacity, entries, memoryBytes);
        }
    }

    public static ConnectedPair between(RdmaNetwork network, Adapter a, Adapter b) {
        return between(network, a, b, Shape.DEFAULT);
    }

    public static ConnectedPair between(RdmaNetwork network, Adapter a, Adapter b, Shape shape) {
        Half left = Half.of(network, a, shape);
        Half right = Half.of(network, b, shape);
        RcPair pair = network.await(RcPair.connect(left.builder, right.builder, shape.terms));
        return new ConnectedPair(left.with(pair.local()), right.with(pair.remote()));
    }

    private record Half(
            Adapter adapter,
            DeviceContext context,
            ProtectionDomain domain,
            HostMemory memory,
            MemoryRegion region,
            CompletionQueue sendCq,
            CompletionQueue recvCq,
            QpBuilder<RcQueuePair> builder) {
        static Half of(RdmaNetwork network, Adapter adapter, Shape shape) {
            var process = adapter.process("app");
            DeviceContext context = process.open();
            ProtectionDomain domain = context.allocatePd();
            HostMemory memory = process.allocate(shape.memoryBytes);
            MemoryRegion region =
                    network.await(domain.register(Registration.of(memory).allowing(AccessFlags.LOCAL_AND_REMOTE)));
            CompletionQueue send = network.await(context.createCq(shape.cqEntries));
            CompletionQueue recv = network.await(context.createCq(shape.cqEntries));
            QpBuilder<RcQueuePair> builder =
                    domain.rc().sendCq(send).recvCq(recv).capacity(shape.capacity);
            return new Half(adapter, context, domain, memory, region, send, recv, builder);
        }

        End with(RcQueuePair qp) {
            return new End(adapter, context, domain, memory, region, sendCq, recvCq, qp);
        }
    }
}
