// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.ConnectedQueuePair;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcRequest;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.UdRequest;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcRequest;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;

/** Posts lists of records to work queues: whole, or until one is refused. Any thread; does not wait. */
final class Posting {
    private final Handles handles;
    private final RefusedCalls refused;
    private final RefusalPlan refusals;

    Posting(Handles handles, RefusedCalls refused, RefusalPlan refusals) {
        this.handles = handles;
        this.refused = refused;
        this.refusals = refusals;
    }

    /**
     * Elements of a list, up to one that no request is made of.
     *
     * @param refusal why that one is refused
     */
    private record Decoded<T>(List<T> elements, Optional<RuntimeException> refusal) {
        /** Returns the refusal of the element after these, if there is one. */
        Optional<Refusal> ending() {
            return refusal.map(reason -> new Refusal(elements.size(), reason));
        }
    }

    /**
     * The refusal of a list.
     *
     * @param index number of its elements that are posted
     */
    private record Refusal(int index, Throwable reason) {}

    /**
     * Returns 0, or the index of the request that was refused above its errno.
     *
     * @param whole true if those before it are not posted, either
     */
    long send(long handle, long records, int count, boolean whole) {
        String function = Functions.POST_SEND;
        try {
            SendRecord first = new SendRecord(records, handles);
            function = first.function();
            refusals.check(function);
            QueuePairEndpoint end = handles.get(handle, VerbsPair.class).end();
            if (count == 1) {
                post(end, first);
                return Errnos.NONE;
            }
            return result(function, send(end, first, count, whole));
        } catch (Throwable thrown) {
            return result(function, Optional.of(new Refusal(0, thrown)));
        }
    }

    private static void post(QueuePairEndpoint end, SendRecord record) {
        if (record.bindsType1()) {
            bind(end, record);
            return;
        }
        switch (end) {
            case RcQueuePair pair -> pair.post(work(end, record, RcWork.class));
            case UcQueuePair pair -> pair.post(work(end, record, UcWork.class));
            case UdQueuePair pair -> pair.post(record.datagramAddress(), work(end, record, UdWork.class));
            case XrcQueuePair pair -> pair.post(record.sharedReceiveQueue(), work(end, record, RcWork.class));
            case DcInitiator pair -> pair.postWhole(List.of(toTarget(end, record)));
            default -> throw noSendQueue(end);
        }
    }

    private static VerbsException noSendQueue(QueuePairEndpoint end) {
        return VerbsException.invalid(end.describe() + " has no send queue");
    }

    private static <W extends WorkRequest> W work(QueuePairEndpoint end, SendRecord record, Class<W> kind) {
        WorkRequest work = record.work();
        if (!kind.isInstance(work)) {
            throw VerbsException.invalid(
                    end.describe() + " does not carry " + work.getClass().getSimpleName());
        }
        return kind.cast(work);
    }

    private static void bind(QueuePairEndpoint end, SendRecord record) {
        switch (end) {
            case ConnectedQueuePair<?, ?> pair ->
                pair.bind(record.id(), record.window(), record.binding(), record.flags());
            case XrcQueuePair pair -> pair.bind(record.id(), record.window(), record.binding(), record.flags());
            default -> throw VerbsException.invalid(end.describe() + " binds no windows");
        }
    }

    private static UdRequest datagram(QueuePairEndpoint end, SendRecord record) {
        return new UdRequest(record.datagramAddress(), work(end, record, UdWork.class));
    }

    private static XrcRequest named(QueuePairEndpoint end, SendRecord record) {
        return new XrcRequest(record.sharedReceiveQueue(), work(end, record, RcWork.class));
    }

    private static DcRequest toTarget(QueuePairEndpoint end, SendRecord record) {
        RcWork work = work(end, record, RcWork.class);
        return work instanceof KeyWork local
                ? DcRequest.local(record.stream(), local)
                : new DcRequest(record.dcAddress(), record.stream(), work);
    }

    private static Optional<Refusal> send(QueuePairEndpoint end, SendRecord first, int count, boolean whole) {
        return switch (end) {
            case RcQueuePair pair ->
                post(
                        sends(first, count, record -> work(end, record, RcWork.class)),
                        whole,
                        pair::post,
                        pair::postWhole);
            case UcQueuePair pair ->
                post(
                        sends(first, count, record -> work(end, record, UcWork.class)),
                        whole,
                        pair::post,
                        pair::postWhole);
            case UdQueuePair pair ->
                post(sends(first, count, record -> datagram(end, record)), whole, pair::post, pair::postWhole);
            case XrcQueuePair pair ->
                post(sends(first, count, record -> named(end, record)), whole, pair::post, pair::postWhole);
            case DcInitiator pair ->
                post(sends(first, count, record -> toTarget(end, record)), whole, pair::post, pair::postWhole);
            default -> throw noSendQueue(end);
        };
    }

    private static <T> Decoded<T> sends(SendRecord first, int count, Function<SendRecord, T> decode) {
        List<T> elements = new ArrayList<>(count);
        SendRecord record = first;
        try {
            while (elements.size() < count) {
                elements.add(decode.apply(record));
                record = record.next();
            }
            return new Decoded<>(elements, Optional.empty());
        } catch (VerbsException | IllegalArgumentException refused) {
            return new Decoded<>(elements, Optional.of(refused));
        }
    }

    private static <T> Optional<Refusal> post(
            Decoded<T> list, boolean whole, Consumer<List<T>> prefix, Consumer<List<T>> all) {
        if (!whole) {
            return post(list, prefix);
        }
        if (list.refusal.isEmpty()) {
            all.accept(list.elements);
        }
        return list.ending();
    }

    /** Posts what is before the first refused element. */
    private static <T> Optional<Refusal> post(Decoded<T> list, Consumer<List<T>> queue) {
        try {
            queue.accept(list.elements);
        } catch (PostRefusedException refused) {
            return Optional.of(new Refusal(refused.index(), refused));
        }
        return list.ending();
    }

    /** As {@link #send}, for receives of a queue pair or a shared receive queue. */
    long receive(long handle, long records, int count) {
        String function = Functions.POST_RECV;
        try {
            return switch (handles.get(handle, Opened.class)) {
                case VerbsPair pair
                when pair.end() instanceof QueuePair receiver -> {
                    refusals.check(function);
                    yield result(function, post(receives(records, count), receiver::postReceive));
                }
                case SharedReceiveCalls.Shared shared -> {
                    function = Functions.POST_SRQ_RECV;
                    refusals.check(function);
                    yield result(function, post(receives(records, count), shared.queue()::postReceive));
                }
                default -> throw VerbsException.invalid("the object takes no receives");
            };
        } catch (Throwable thrown) {
            return result(function, Optional.of(new Refusal(0, thrown)));
        }
    }

    private static Decoded<Receive> receives(long records, int count) {
        List<Receive> receives = new ArrayList<>(count);
        long at = records;
        try {
            while (receives.size() < count) {
                receives.add(receive(at));
                at += Integer.toUnsignedLong(AddressSpace.getInt(at + Calls.Receive.SIZE));
            }
            return new Decoded<>(receives, Optional.empty());
        } catch (VerbsException | IllegalArgumentException refused) {
            return new Decoded<>(receives, Optional.of(refused));
        }
    }

    private static Receive receive(long at) {
        return new Receive(
                AddressSpace.getLong(at + Calls.Receive.WR_ID),
                ElementList.read(at + Calls.Receive.BYTES, AddressSpace.getInt(at + Calls.Receive.ELEMENTS)));
    }

    private long result(String function, Optional<Refusal> refusal) {
        return refusal.map(one -> (long) one.index << Integer.SIZE | refused.errno(function, one.reason))
                .orElse((long) Errnos.NONE);
    }
}
