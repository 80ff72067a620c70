// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.UcEnd;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.network.RdmaNetwork;

/** One of the mixed kinds, on two ends of its own, in a closed loop. Its requests are built once. */
final class MixedLane {
    /** Requests in progress. */
    static final int WINDOW = 64;

    /** Twice as many receives: a datagram that finds none is lost. */
    static final int SLOTS = 2 * WINDOW;

    /** A receive of a datagram begins with a GRH. */
    static final int SLOT_BYTES = 128;

    private final boolean isMessage;
    private final Runnable[] posts = new Runnable[WINDOW];
    private final Runnable[] receives = new Runnable[SLOTS];
    private final ClosedLoop loop = new ClosedLoop(WINDOW, place -> posts[place].run());

    /**
     * Creates the ends.
     *
     * @param first first work id of its requests and of its receives; each have {@value #SLOTS} from there on
     */
    MixedLane(RdmaNetwork network, MixedKind kind, Half requester, Half responder, long first) {
        int inline = kind == MixedKind.RC_SEND_INLINE ? kind.bytes() : 0;
        QpCapacity capacity = QpCapacity.of(SLOTS).withMaxSge(1).withMaxInlineBytes(inline);
        Half answering = responder.withCapacity(capacity);
        if (kind.sharesReceives()) {
            SrqDescription<SharedReceiveQueue> shared = SrqDescription.of(SLOTS).withMaxSge(1);
            answering =
                    answering.withSrq(network.await(responder.side().domain().createSrq(shared)));
        }
        int max = requester.side().adapter().profile().queues().maxRdAtomic();
        Ends<?> ends = kind.transport()
                .join(network, requester.withCapacity(capacity), answering, RcConnection.DEFAULT.withRdAtomic(max));
        isMessage = kind.isMessage();
        long place = first * SLOT_BYTES;
        for (int slot = 0; slot < WINDOW; slot++) {
            long at = place + (long) slot * SLOT_BYTES;
            WorkRequest work = kind.of(
                    first + slot, ends.a().slice(at, kind.bytes()), ends.b().remote(at));
            posts[slot] = posting(ends.a(), work);
        }
        for (int slot = 0; slot < SLOTS && isMessage; slot++) {
            LocalSlice into = ends.b().slice(place + (long) slot * SLOT_BYTES, SLOT_BYTES);
            receives[slot] = receiving(ends.b(), Receive.of(first + slot, into));
            receives[slot].run();
        }
    }

    /**
     * Returns the post method of the transport, as in a program with one transport: a generic end would select it for each
     * request.
     */
    private static Runnable posting(End end, WorkRequest work) {
        return switch (end) {
            case RcEnd rc -> {
                RcWork own = (RcWork) work;
                yield () -> rc.qp().post(own);
            }
            case UcEnd uc -> {
                UcWork own = (UcWork) work;
                yield () -> uc.qp().post(own);
            }
            case UdEnd ud -> {
                UdWork own = (UdWork) work;
                yield () -> ud.qp().post(ud.peer(), own);
            }
            case XrcEnd xrc -> {
                RcWork own = (RcWork) work;
                yield () -> xrc.qp().post(xrc.peerQueue(), own);
            }
            case DcEnd dc -> {
                RcWork own = (RcWork) work;
                yield () -> dc.qp().post(dc.peer(), own);
            }
            default -> () -> end.post(work);
        };
    }

    private static Runnable receiving(End end, Receive receive) {
        return switch (end) {
            case RcEnd rc when rc.qp().srq().isEmpty() -> () -> rc.qp().postReceive(receive);
            case RcEnd rc -> {
                var shared = rc.qp().srq().orElseThrow();
                yield () -> shared.postReceive(receive);
            }
            case UcEnd uc -> () -> uc.qp().postReceive(receive);
            case UdEnd ud -> () -> ud.qp().postReceive(receive);
            case XrcEnd xrc -> () -> xrc.queue().postReceive(receive);
            case DcEnd dc -> () -> dc.receives().postReceive(receive);
            default -> () -> end.postReceive(receive);
        };
    }

    /** Starts; the latch opens when the given number of operations has ended at both ends. */
    CountDownLatch begin(long operations) {
        return loop.begin(operations);
    }

    /** Records that one has ended at its requester. */
    void ended() {
        loop.ended();
        if (!isMessage) {
            loop.arrived();
        }
    }

    /** Records that one has arrived in that receive. */
    void arrived(int slot) {
        receives[slot].run();
        loop.arrived();
    }
}
