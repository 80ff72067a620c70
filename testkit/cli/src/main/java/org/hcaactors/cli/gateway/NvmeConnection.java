// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.cli.gateway.nvme.DiscoveryController;
import org.hcaactors.cli.gateway.nvme.KeyedSgl;
import org.hcaactors.cli.gateway.nvme.NvmeCommand;
import org.hcaactors.cli.gateway.nvme.NvmeStep;
import org.hcaactors.cli.gateway.nvme.QueueRequest;
import org.hcaactors.network.RdmaNetwork;

/**
 * A host's connection to a discovery controller of NVMe over RDMA: commands arrive in SENDs, their data are READ from the host or
 * written into its memory, and completions leave in SENDs, which invalidate keys where the host wants it. One thread.
 */
final class NvmeConnection implements AutoCloseable {
    private static final Duration LONGEST_TRANSFER = Duration.ofSeconds(30);
    private static final Accepted.Slots SLOTS =
            new Accepted.Slots(DiscoveryController.QUEUE_ENTRIES, NvmeCommand.BYTES);
    private static final int COMPLETION_AT = SLOTS.end();
    private static final int DATA_AT = COMPLETION_AT + NvmeStep.Completion.BYTES;
    private static final int BEHIND_SLOTS = NvmeStep.Completion.BYTES + DiscoveryController.MOST_DATA_BYTES;

    private final Accepted host;
    private final DiscoveryController controller;
    private Moved moved = new Moved(0, 0, 0, 0);

    /** Numbers of what a host and the controller have moved. */
    record Moved(int commands, int reads, int writes, int invalidated) {
        private Moved plus(int commands, int reads, int writes, int invalidated) {
            return new Moved(
                    this.commands + commands, this.reads + reads, this.writes + writes, this.invalidated + invalidated);
        }

        Outcome outcome() {
            return Outcome.of(commands + " commands, " + reads + " READs, " + writes + " WRITEs, " + invalidated
                            + " SENDs with invalidate")
                    .with("commands", commands)
                    .with("reads", reads)
                    .with("writes", writes)
                    .with("invalidated", invalidated);
        }
    }

    private NvmeConnection(Accepted host, DiscoveryController controller) {
        this.host = host;
        this.controller = controller;
    }

    /**
     * Accepts a request.
     *
     * @param context that of the listener
     * @throws PeerException if it asks for something else than an admin queue; the host gets the reason
     */
    static NvmeConnection accept(
            RdmaNetwork network, ConnectionRequest request, DeviceContext context, DiscoveryController controller)
            throws PeerException {
        Optional<QueueRequest.Refusal> refusal =
                QueueRequest.decode(request.privateData()).refusal();
        if (refusal.isPresent()) {
            network.await(request.reject(refusal.get().encode()));
            throw new PeerException(refusal.get().words());
        }
        Accepted host = Accepted.accept(network, context, request, SLOTS, BEHIND_SLOTS, QueueRequest.reply());
        return new NvmeConnection(host, controller);
    }

    /**
     * Serves commands until the host disconnects.
     *
     * @throws PeerException if a transfer fails, a capsule is too short for the id of a command, or the host is silent for longer
     *     than its keep alive timeout
     */
    Moved serve() throws PeerException, InterruptedException {
        for (var next = next(); next.isPresent(); next = next()) {
            byte[] capsule = host.bytes(next.get());
            host.receiveAgain(next.get());
            moved = moved.plus(1, 0, 0, 0);
            execute(step(capsule));
        }
        return moved;
    }

    private Optional<WorkCompletion> next() throws PeerException, InterruptedException {
        return host.next(controller.longestSilence());
    }

    private NvmeStep step(byte[] capsule) throws PeerException {
        try {
            return controller.command(capsule);
        } catch (IllegalArgumentException tooShort) {
            throw new PeerException(String.valueOf(tooShort.getMessage()));
        }
    }

    private void execute(NvmeStep step) throws PeerException {
        switch (step) {
            case NvmeStep.Fetch(var command, var from) -> {
                read(from);
                byte[] data = host.side().memory().read(DATA_AT, from.lengthBytes());
                send(controller.fetched(command, data));
            }
            case NvmeStep.Deliver(var data, var to, var completion) -> {
                write(data, to);
                send(completion);
            }
            case NvmeStep.Completion completion -> send(completion);
            case NvmeStep.Outstanding() -> {
                // The host waits for an event that does not come.
            }
        }
    }

    private void read(KeyedSgl from) throws PeerException {
        done("READ", RdmaRead.of(1, host.side().slice(DATA_AT, from.lengthBytes()), at(from)));
        moved = moved.plus(0, 1, 0, 0);
    }

    private void write(byte[] data, KeyedSgl to) throws PeerException {
        host.side().memory().write(DATA_AT, data);
        done("WRITE", RdmaWrite.of(2, host.side().slice(DATA_AT, data.length), at(to)));
        moved = moved.plus(0, 0, 1, 0);
    }

    private static RemoteAddress at(KeyedSgl memory) {
        return new RemoteAddress(memory.rkey(), memory.address());
    }

    private void send(NvmeStep.Completion completion) throws PeerException {
        host.side().memory().write(COMPLETION_AT, completion.encode());
        Send send = Send.of(3, host.side().slice(COMPLETION_AT, NvmeStep.Completion.BYTES));
        OptionalInt key = completion.invalidate();
        done("SEND", key.isPresent() ? send.withInvalidate(key.getAsInt()) : send);
        moved = moved.plus(0, 0, 0, key.isPresent() ? 1 : 0);
    }

    private void done(String kind, RcWork request) throws PeerException {
        host.done(kind, List.of(request), LONGEST_TRANSFER);
    }

    @Override
    public void close() {
        host.close();
    }

    @Override
    public String toString() {
        return host.toString();
    }
}
