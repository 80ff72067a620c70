// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.ShardDriver;

/**
 * SEND in a closed loop: each send completion posts the next request, each receive completion a new buffer. Requests are
 * immutable and built once, as a C program fills in its {@code ibv_send_wr} once.
 */
final class SendLoop implements AutoCloseable {
    private static final int BYTES = 64;

    private final RdmaNetwork network;
    private final Consumer<Send> sender;
    private final Consumer<Receive> receiver;
    private final Send[] sends;
    private final Receive[] receives;
    private final int window;
    private final int slots;
    private final boolean usesItsThread;
    private final Optional<ShardDriver> driver;
    private final IntSupplier sendPoll;
    private final IntSupplier receivePoll;
    private long toPost;
    private long toComplete;
    private volatile CountDownLatch done = new CountDownLatch(0);

    /**
     * Creates a loop over RC.
     *
     * @param onAdapterThread true if both subscribers run on the adapter's thread; otherwise on the callers' executor
     */
    SendLoop(int window, boolean onAdapterThread) {
        this(Transport.RC, false, window, onAdapterThread);
    }

    /**
     * Creates a loop over RC, with both subscribers on the adapter's thread.
     *
     * @param network closed with this loop
     */
    SendLoop(RdmaNetwork network, int window) {
        this(network, Transport.RC, false, window, Polling.FLOW_ON_ADAPTER_THREAD);
    }

    /**
     * Creates a loop over a transport.
     *
     * @param shared true if receives are from a shared receive queue, as they always are over XRC and DC
     */
    SendLoop(Transport transport, boolean shared, int window, boolean onAdapterThread) {
        this(RdmaNetwork.start(), transport, shared, window, Polling.flow(onAdapterThread));
    }

    SendLoop(Transport transport, boolean shared, int window, Polling polling) {
        this(RdmaNetwork.start(), transport, shared, window, polling);
    }

    private SendLoop(RdmaNetwork network, Transport transport, boolean shared, int window, Polling polling) {
        this.network = network;
        this.window = window;
        slots = Math.max(128, 2 * window);
        sends = new Send[slots];
        receives = new Receive[slots];
        Half bob = half("bob");
        if (shared && transport.sharesReceives()) {
            SrqDescription<SharedReceiveQueue> receives =
                    SrqDescription.of(slots).withMaxSge(1);
            bob = bob.withSrq(network.await(bob.side().domain().createSrq(receives)));
        }
        Ends<?> ends = transport.join(network, half("alice"), bob, RcConnection.DEFAULT);
        sender = posting(ends.a());
        receiver = receiving(ends.b());
        for (int i = 0; i < slots; i++) {
            sends[i] = Send.of(i, ends.a().slice((long) i * BYTES, BYTES)).withSignaled();
            receives[i] = Receive.of(i, ends.b().slice((long) i * BYTES, BYTES));
            postReceive(i);
        }
        usesItsThread = polling.usesItsThread();
        sendPoll = polling.start(ends.a().sendCq(), this::sent);
        receivePoll = polling.start(ends.b().recvCq(), this::postReceive);
        driver = polling.drives() ? Optional.of(network.drive(0)) : Optional.empty();
    }

    private Half half(String adapter) {
        QpCapacity capacity = QpCapacity.of(slots).withMaxSge(1).withMaxInlineBytes(0);
        Shape shape = new Shape(RcConnection.DEFAULT, capacity, 2 * slots, BYTES * slots);
        return Half.of(network, network.addAdapter(adapter, Profile.CONNECTX_5), shape);
    }

    /**
     * Returns the post method of the transport, as in a program with one transport: a generic end would select it for each
     * request.
     */
    private static Consumer<Send> posting(End end) {
        return switch (end) {
            case RcEnd rc -> rc.qp()::post;
            case DcEnd dc -> work -> dc.qp().post(dc.peer(), work);
            case XrcEnd xrc -> work -> xrc.qp().post(xrc.peerQueue(), work);
            default -> end::post;
        };
    }

    private static Consumer<Receive> receiving(End end) {
        return switch (end) {
            case RcEnd rc when rc.qp().srq().isEmpty() -> rc.qp()::postReceive;
            case RcEnd rc -> rc.qp().srq().orElseThrow()::postReceive;
            case DcEnd dc -> dc.receives()::postReceive;
            default -> end::postReceive;
        };
    }

    /** Runs the given number of operations to their completion. */
    void run(long operations) throws InterruptedException {
        CountDownLatch latch = start(operations);
        while (usesItsThread && latch.getCount() > 0) {
            int taken = sendPoll.getAsInt() + receivePoll.getAsInt();
            if (taken == 0 && driver.map(ShardDriver::progress).orElse(0) == 0) {
                Thread.onSpinWait();
            }
        }
        latch.await();
    }

    /** Starts the given number of operations; the latch opens when they are complete. */
    private CountDownLatch start(long operations) {
        long first = Math.min(window, operations);
        toPost = operations - first;
        toComplete = operations;
        CountDownLatch latch = new CountDownLatch(1);
        done = latch;
        for (int i = 0; i < first; i++) {
            postSend(i);
        }
        return latch;
    }

    private void sent(long slot) {
        if (toPost > 0) {
            toPost--;
            postSend(slot);
        }
        if (--toComplete == 0) {
            done.countDown();
        }
    }

    private void postSend(long slot) {
        sender.accept(sends[(int) slot]);
    }

    private void postReceive(long slot) {
        receiver.accept(receives[(int) slot]);
    }

    @Override
    public void close() {
        driver.ifPresent(ShardDriver::close);
        network.close();
    }
}
