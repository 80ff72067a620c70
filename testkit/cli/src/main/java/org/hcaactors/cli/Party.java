package org.hcaactors.cli;

import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.AddressVector;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcPair;
import org.hcaactors.api.queue.UdAddress;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/**
 * One of two that talk, whatever the transport between them.
 *
 * @param post puts a request on its send queue; the transport must carry it
 * @param receive puts a buffer where its peer's messages go
 * @param headroom bytes in front of each received message
 */
record Party(
        Adapter adapter,
        QueuePair qp,
        MemoryRegion region,
        CompletionQueue sendCq,
        CompletionQueue recvCq,
        Consumer<WorkRequest> post,
        Consumer<Receive> receive,
        int headroom) {
    /** What two parties need. */
    record Terms(Transport transport, PathMtu mtu, QpCapacity capacity, int cqEntries, long memoryBytes) {}

    /** Two parties that have been introduced. */
    record Couple(Party left, Party right) {}

    /** What a side shares among its queue pairs. */
    record Side(Adapter adapter, ProtectionDomain domain, MemoryRegion region, Optional<SharedReceiveQueue> srq) {
        static Side of(RdmaNetwork network, Adapter adapter, Terms terms) {
            var process = adapter.process("hca");
            ProtectionDomain domain = process.open().allocatePd();
            MemoryRegion region = network.await(domain.register(
                    Registration.of(process.allocate(terms.memoryBytes)).allowing(AccessFlags.LOCAL_AND_REMOTE)));
            int receives = Math.min(32_767, 64 * terms.capacity.maxRecvWr());
            Optional<SharedReceiveQueue> srq = terms.transport == Transport.SRQ
                    ? Optional.of(network.await(
                            domain.createSrq(SrqDescription.of(receives).withMaxSge(1))))
                    : Optional.empty();
            return new Side(adapter, domain, region, srq);
        }

        <Q extends QueuePair> QpBuilder<Q> describe(
                QpBuilder<Q> plain, CompletionQueue send, CompletionQueue receive, Terms terms) {
            QpBuilder<Q> described = plain.sendCq(send).recvCq(receive).capacity(terms.capacity);
            return srq.map(described::srq).orElse(described);
        }

        Party party(
                QueuePair qp, CompletionQueue send, CompletionQueue receive, Consumer<WorkRequest> post, int headroom) {
            Consumer<Receive> receiving =
                    srq.<Consumer<Receive>>map(queue -> queue::postReceive).orElse(qp::postReceive);
            return new Party(adapter, qp, region, send, receive, post, receiving, headroom);
        }
    }

    static Couple couple(RdmaNetwork network, Side left, Side right, Terms terms) {
        CompletionQueue[] queues = new CompletionQueue[4];
        for (int i = 0; i < queues.length; i++) {
            Side side = i < 2 ? left : right;
            queues[i] = network.await(side.domain.context().createCq(terms.cqEntries));
        }
        return switch (terms.transport) {
            case RC, SRQ -> {
                RcPair pair = network.await(RcPair.connect(
                        left.describe(left.domain.rc(), queues[0], queues[1], terms),
                        right.describe(right.domain.rc(), queues[2], queues[3], terms),
                        RcConnection.DEFAULT.withMtu(terms.mtu)));
                yield new Couple(
                        left.party(
                                pair.local(),
                                queues[0],
                                queues[1],
                                w -> pair.local().post((RcWork) w),
                                0),
                        right.party(
                                pair.remote(),
                                queues[2],
                                queues[3],
                                w -> pair.remote().post((RcWork) w),
                                0));
            }
            case UC -> {
                UcPair pair = network.await(UcPair.connect(
                        left.describe(left.domain.uc(), queues[0], queues[1], terms),
                        right.describe(right.domain.uc(), queues[2], queues[3], terms),
                        UcConnection.DEFAULT.withMtu(terms.mtu)));
                yield new Couple(
                        left.party(
                                pair.local(),
                                queues[0],
                                queues[1],
                                w -> pair.local().post((UcWork) w),
                                0),
                        right.party(
                                pair.remote(),
                                queues[2],
                                queues[3],
                                w -> pair.remote().post((UcWork) w),
                                0));
            }
            case UD -> {
                UdQueuePair one = datagrams(network, left.describe(left.domain.ud(), queues[0], queues[1], terms));
                UdQueuePair other = datagrams(network, right.describe(right.domain.ud(), queues[2], queues[3], terms));
                UdAddress toOther = address(network, left, right, other);
                UdAddress toOne = address(network, right, left, one);
                int grh = UdQueuePair.GRH_BYTES;
                yield new Couple(
                        left.party(one, queues[0], queues[1], w -> one.post(toOther, (UdWork) w), grh),
                        right.party(other, queues[2], queues[3], w -> other.post(toOne, (UdWork) w), grh));
            }
        };
    }

    private static final int QKEY = 0x1111_1111;

    private static UdQueuePair datagrams(RdmaNetwork network, QpBuilder<UdQueuePair> wanted) {
        UdQueuePair qp = network.await(wanted.create());
        network.await(qp.activate(QKEY));
        return qp;
    }

    private static UdAddress address(RdmaNetwork network, Side from, Side to, UdQueuePair qp) {
        return UdAddress.of(
                network.await(from.domain.createAddressHandle(AddressVector.to(to.adapter.gid()))), qp.number(), QKEY);
    }

    LocalSlice slice(long offset, int lengthBytes) {
        return region.slice(offset, lengthBytes);
    }
}
