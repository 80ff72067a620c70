// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;

/**
 * READs and WRITEs through indirect keys on either side, which are filled continually. Occasionally a key behind one is
 * deregistered, or one is invalidated; requests that use it may then fail, and the queue pair is connected again.
 */
final class IndirectKeys implements Workload {
    private final SweepContext sweep;
    private final SplittableRandom random;

    private final Optional<IndirectKeyMemory> localKey;
    private final Optional<IndirectKeyMemory> remoteKey;

    /** Memory without an indirect key. */
    private final Side plainLocal;

    private final Side plainRemote;

    private final Renewable connection;

    /** Queue pair that fills the peer's key and sends nothing. */
    private final Optional<RcQueuePair> filler;

    private final QueuePairLife fillings;

    /** Acts until the queue pair is connected again, once a request may fail. */
    private int untilNext = -1;

    private boolean lost;

    IndirectKeys(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("indirect keys");
        localKey = shown(sweep.a());
        remoteKey = shown(sweep.b());
        plainLocal = plain(sweep.a());
        plainRemote = plain(sweep.b());
        RcConnection attributes = sweep.patient(random);
        connection = new Renewable(
                sweep, "indirect keys", random, half(sweep.a()), sweep.b().half(), attributes);
        filler =
                remoteKey.map(peer -> sweep.connected(half(sweep.b()), sweep.a().half(), sweep.patient(random))
                        .a()
                        .qp());
        fillings = sweep.promises().life("fillings of indirect keys");
        begin();
    }

    private Optional<IndirectKeyMemory> shown(SweepNode site) {
        try {
            return site.adapter.profile().indirectKeys().isSupported()
                    ? Optional.of(new IndirectKeyMemory(sweep, site, random))
                    : Optional.empty();
        } catch (VerbsException refused) {
            return Optional.empty();
        }
    }

    private Side plain(SweepNode site) {
        Side plain = Side.within(sweep.world().network(), site.domain, 2L * SweepNode.CELL * SweepNode.CELLS);
        byte[] pattern = new byte[2 * SweepNode.CELL * SweepNode.CELLS];
        random.nextBytes(pattern);
        plain.memory().write(0, pattern);
        return plain;
    }

    private static Half half(SweepNode site) {
        return site.adapter.profile().indirectKeys().isSupported()
                ? site.half().withKeyFilling(IndirectKeyMemory.ENTRIES)
                : site.half();
    }

    /** Fills the keys; from here on they map all their memory. */
    private void begin() {
        untilNext = -1;
        localKey.ifPresent(own -> {
            filled(own.fillInner(connection.local()));
            filled(own.fill(connection.local()));
        });
        remoteKey.ifPresent(peer -> {
            filled(peer.fillInner(filler.orElseThrow()));
            filled(peer.fill(filler.orElseThrow()));
        });
    }

    private void filled(CompletionStage<WorkCompletion> filling) {
        try {
            lost |= !sweep.world().await(filling).isSuccess();
        } catch (VerbsException refused) {
            lost = true;
        }
    }

    @Override
    public void step() {
        if (lost || connection.isLost()) {
            return;
        }
        localKey.ifPresent(IndirectKeyMemory::evict);
        remoteKey.ifPresent(IndirectKeyMemory::evict);
        if (untilNext-- == 0) {
            connection.renew(sweep.patient(random));
            if (!connection.isLost()) {
                begin();
            }
            return;
        }
        switch (random.nextInt(16)) {
            case 0, 1 -> localKey.ifPresent(own -> recordOwnChange("fill", own.fill(connection.local())));
            case 2, 3 -> remoteKey.ifPresent(peer -> recordPeerChange("fill", peer.fill(filler.orElseThrow())));
            case 4, 5 -> tryDisturb();
            default -> {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    post();
                }
            }
        }
    }

    private void recordOwnChange(String what, CompletionStage<WorkCompletion> change) {
        connection.life().add(what, change, () -> {});
    }

    private void recordPeerChange(String what, CompletionStage<WorkCompletion> change) {
        fillings.add(what, change, () -> {});
    }

    private void tryDisturb() {
        try {
            disturb();
        } catch (VerbsException refused) {
            lost = true;
        }
    }

    private void disturb() {
        boolean viaRemoteKey = remoteKey.isPresent() && (localKey.isEmpty() || random.nextBoolean());
        if (viaRemoteKey) {
            disturb(remoteKey, filler.orElseThrow(), this::recordPeerChange);
        } else {
            disturb(localKey, connection.local(), this::recordOwnChange);
        }
    }

    private void disturb(
            Optional<IndirectKeyMemory> to,
            RcQueuePair by,
            BiConsumer<String, CompletionStage<WorkCompletion>> record) {
        to.ifPresent(shown -> {
            mayFail();
            switch (random.nextInt(3)) {
                case 0 -> shown.partGoes();
                case 1 -> record.accept("invalidate", shown.invalidate(by));
                default -> record.accept("fill wrongly", shown.fillWrongly(by));
            }
        });
    }

    /**
     * Allows failures. A READ that was sent twice on a slow link is executed twice. If the key was destroyed in between, the
     * responder moves to ERR, and the requester, which already has all the data, ignores the NAK (rules rc-read-now, rc-ghost).
     */
    private void mayFail() {
        connection.life().mayFailWith(Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
        untilNext = untilNext < 0 ? random.nextInt(6) : untilNext;
    }

    /** Posts a READ or WRITE. Whether a cell is accessed through an indirect key, on either side, is the same each time. */
    private void post() {
        int cell = random.nextInt(SweepNode.CELLS);
        int bytes = 1 + random.nextInt(SweepNode.CELL);
        boolean writes = random.nextBoolean();
        boolean own = localKey.isPresent() && (cell & 1) == 0;
        boolean viaRemoteKey = remoteKey.isPresent() && (!own || (cell & 2) == 0);
        if (!own && !viaRemoteKey) {
            return;
        }
        int from = writes ? IndirectKeyMemory.source(cell) : IndirectKeyMemory.target(cell);
        int to = writes ? IndirectKeyMemory.target(cell) : IndirectKeyMemory.source(cell);
        LocalSlice local = own ? localKey.orElseThrow().key().slice(from, bytes) : plainLocal.slice(from, bytes);
        RemoteAddress remote = viaRemoteKey ? remoteKey.orElseThrow().key().remote(to) : plainRemote.remote(to);
        RcWork work = writes ? RdmaWrite.of(cell, local, remote) : RdmaRead.of(cell, local, remote);
        String what = work.getClass().getSimpleName() + " " + cell;
        Runnable check = () -> {
            byte[] near = own
                    ? localKey.orElseThrow().read(from, bytes)
                    : plainLocal.memory().read(from, bytes);
            byte[] far = viaRemoteKey
                    ? remoteKey.orElseThrow().read(to, bytes)
                    : plainRemote.memory().read(to, bytes);
            ByteChecks.same(what, writes ? near : far, writes ? far : near);
        };
        connection.life().add(what, connection.local().submit(work), check);
    }

    /** Destroys the keys while they are used. */
    @Override
    public void finish() {
        mayFail();
        localKey.ifPresent(IndirectKeyMemory::close);
        remoteKey.ifPresent(IndirectKeyMemory::close);
        fillings.mayFailWith(Status.LOC_QP_OP_ERR);
        connection.life().mayFailWith(Status.LOC_QP_OP_ERR);
    }
}
