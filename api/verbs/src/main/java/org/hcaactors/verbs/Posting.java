// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.function.Consumer;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.ConnectedQueuePair;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;

/** Posts lists of records to work queues, until one is refused. Any thread; does not wait. */
final class Posting {
    private final Handles handles;
    private final Errnos errnos;
    private final RefusalPlan refusals;

    Posting(Handles handles, Errnos errnos, RefusalPlan refusals) {
        this.handles = handles;
        this.errnos = errnos;
        this.refusals = refusals;
    }

    /** Returns 0, or the index of the request that was refused above its errno. */
    long send(long handle, long records, int count) {
        int done = 0;
        try {
            refusals.check(new SendRecord(records, handles).function());
            QueuePairEndpoint end = handles.get(handle, VerbsPair.class).end();
            for (long at = records; done < count; done++) {
                SendRecord record = new SendRecord(at, handles);
                post(end, record);
                at = record.next();
            }
            return 0;
        } catch (Throwable refused) {
            return refusal(done, refused);
        }
    }

    private static void post(QueuePairEndpoint end, SendRecord record) {
        if (record.bindsType1()) {
            bind(end, record);
        } else {
            postWork(end, record);
        }
    }

    private static void bind(QueuePairEndpoint end, SendRecord record) {
        switch (end) {
            case ConnectedQueuePair<?, ?> pair ->
                pair.bind(record.id(), record.window(), record.binding(), record.flags());
            case XrcQueuePair pair -> pair.bind(record.id(), record.window(), record.binding(), record.flags());
            default -> throw VerbsException.invalid(end.describe() + " binds no windows");
        }
    }

    private static void postWork(QueuePairEndpoint end, SendRecord record) {
        WorkRequest work = record.work();
        switch (end) {
            case RcQueuePair pair when work instanceof RcWork it -> pair.post(it);
            case UcQueuePair pair when work instanceof UcWork it -> pair.post(it);
            case UdQueuePair pair when work instanceof UdWork it -> pair.post(record.datagramAddress(), it);
            case XrcQueuePair pair when work instanceof RcWork it -> pair.post(record.sharedReceiveQueue(), it);
            case DcInitiator pair when work instanceof RcWork it -> postDc(pair, it, record);
            default ->
                throw VerbsException.invalid(
                        end.describe() + " does not carry " + work.getClass().getSimpleName());
        }
    }

    private static void postDc(DcInitiator pair, RcWork work, SendRecord record) {
        if (work instanceof KeyWork local) {
            postLocal(pair, local);
        } else {
            pair.post(record.dcAddress(), record.stream(), work);
        }
    }

    @SuppressWarnings("NullAway") // The target of a request that changes a key is ignored.
    private static void postLocal(DcInitiator pair, KeyWork work) {
        pair.post(null, work);
    }

    /** As {@link #send}, for receives of a queue pair or a shared receive queue. */
    long receive(long handle, long records, int count) {
        int done = 0;
        try {
            Consumer<Receive> queue = queue(handle);
            for (long at = records; done < count; done++) {
                queue.accept(new Receive(
                        AddressSpace.getLong(at + Calls.Receive.WR_ID),
                        ElementList.read(
                                at + Calls.Receive.BYTES, AddressSpace.getInt(at + Calls.Receive.ELEMENTS))));
                at += Integer.toUnsignedLong(AddressSpace.getInt(at + Calls.Receive.SIZE));
            }
            return 0;
        } catch (Throwable refused) {
            return refusal(done, refused);
        }
    }

    private Consumer<Receive> queue(long handle) {
        return switch (handles.get(handle, Opened.class)) {
            case VerbsPair pair when pair.end() instanceof QueuePair receiver -> {
                refusals.check(Functions.POST_RECV);
                yield receiver::postReceive;
            }
            case SharedReceiveCalls.Shared shared -> {
                refusals.check(Functions.POST_SRQ_RECV);
                yield shared.queue()::postReceive;
            }
            default -> throw VerbsException.invalid("the object takes no receives");
        };
    }

    private long refusal(int index, Throwable refused) {
        return (long) index << Integer.SIZE | errnos.of(refused);
    }
}
