// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * Port changes under connections: links with other MTUs, GIDs that move from one adapter to another or that two adapters share
 * for a while, P_Keys that do not match. It has its own adapters.
 */
final class PortChanges implements Workload {
    private static final int MAX = 6;
    private static final int ONE_IN = 2;
    private static final int BYTES = 5000;
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int OTHER_PKEY = 0x8001;
    private static final LinkProperties WIDE = new LinkProperties(500, 10_000_000_000L, 9000, 1 << 20);
    private static final LinkProperties NARROW = new LinkProperties(500, 10_000_000_000L, 1500, 1 << 20);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /**
     * A port under test.
     *
     * @param gids its GID table as created
     */
    private record Stop(Side side, List<Gid> gids) {
        static Stop at(Side side) {
            return new Stop(side, side.adapter().port(1).gidTable());
        }

        Adapter adapter() {
            return side.adapter();
        }
    }

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final Stop from;
    private final Stop to;
    private final Stop other;
    private int acts;
    private int moved;

    PortChanges(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("ports");
        from = Stop.at(sweep.apart("port-from", WIDE, random, 2 * BYTES));
        to = Stop.at(sweep.apart("port-to", random.nextBoolean() ? WIDE : NARROW, random, 2 * BYTES));
        other = Stop.at(sweep.apart("port-other", WIDE, random, 2 * BYTES));
    }

    @Override
    public void step() {
        if (acts == MAX || random.nextInt(ONE_IN) > 0) {
            return;
        }
        acts++;
        switch (random.nextInt(5)) {
            case 0 -> asLongAsTheLinkAllows();
            case 1 -> longerThanTheReceiversLink();
            case 2 -> addressOfTwo();
            case 3 -> addressThatWent();
            default -> otherPartition();
        }
    }

    /** Uses the largest path MTU that both ports report. */
    private void asLongAsTheLinkAllows() {
        write(connected(to, to.gids().getFirst(), mtu(from, to)), Set.of(), false);
    }

    private void longerThanTheReceiversLink() {
        Ends<RcEnd> ends = connected(other, other.gids().getFirst(), PathMtu.BYTES_4096);
        world.network().setLink(other.adapter(), NARROW);
        write(ends, Set.of(Status.RETRY_EXC_ERR), true);
        world.network().setLink(other.adapter(), WIDE);
    }

    /** Gives two ports the same GID; one removes it, and it belongs to the other. */
    private void addressOfTwo() {
        boolean newcomer = random.nextBoolean();
        Gid shared = newGid();
        setGids(to, List.of(shared));
        setGids(other, List.of(shared));
        Stop stays = newcomer ? other : to;
        Stop leaves = newcomer ? to : other;
        setGids(leaves, leaves.gids());
        write(connected(stays, shared, mtu(from, stays)), Set.of(), false);
        setGids(stays, stays.gids());
    }

    /** Removes the sender's GID under a connection. */
    private void addressThatWent() {
        Ends<RcEnd> ends = connected(to, to.gids().getFirst(), mtu(from, to));
        write(ends, Set.of(), false);
        setGids(from, List.of(newGid()));
        write(ends, Set.of(Status.RETRY_EXC_ERR), true);
        setGids(from, from.gids());
    }

    private void otherPartition() {
        Ends<RcEnd> ends = connected(to, to.gids().getFirst(), mtu(from, to));
        world.network().setPkeyTable(to.adapter(), List.of(OTHER_PKEY));
        write(ends, Set.of(Status.RETRY_EXC_ERR), true);
        world.network().setPkeyTable(to.adapter(), List.of(DEFAULT_PKEY));
    }

    /** Sets the table and lets the fabric learn it, which otherwise learns only the last of several changes in an instant. */
    private void setGids(Stop station, List<Gid> gids) {
        world.network().setGidTable(station.adapter(), gids);
        world.runFor(Duration.ofNanos(1));
    }

    private Gid newGid() {
        return Gid.ofIpv4(10, 9, 9, 1 + moved++);
    }

    private static PathMtu mtu(Stop one, Stop another) {
        PathMtu first = one.adapter().port(1).activeMtu();
        PathMtu second = another.adapter().port(1).activeMtu();
        return first.compareTo(second) < 0 ? first : second;
    }

    private Ends<RcEnd> connected(Stop peer, Gid address, PathMtu mtu) {
        RcConnection attributes =
                RcConnection.DEFAULT.withMtu(mtu).withTimeoutCode(4).withRetryCount(3);
        RcQueuePair one = world.await(from.side.domain().createQp(QpDescription.rc()));
        RcQueuePair two = world.await(peer.side.domain().createQp(QpDescription.rc()));
        world.await(one.connect(address, two.number(), attributes));
        world.await(two.connect(from.gids().getFirst(), one.number(), attributes.reversed()));
        return new Ends<>(new RcEnd(from.side, one), new RcEnd(peer.side, two));
    }

    /** Posts a WRITE and waits for its completion, so that the port does not change back before. */
    private void write(Ends<RcEnd> ends, Set<Status> mayFail, boolean mustFail) {
        CompletionStage<WorkCompletion> stage = ends.a()
                .submit(RdmaWrite.of(acts, ends.a().slice(0, BYTES), ends.b().remote(BYTES)));
        sweep.promises()
                .life("ports")
                .add("WRITE " + acts, stage, mustFail ? PortChanges::neverRight : () -> {}, mayFail);
        try {
            world.await(stage, TIMEOUT);
        } catch (VerbsException lost) {
            // PendingStages checks it.
        }
    }

    private static void neverRight() {
        throw new AssertionError("a WRITE succeeded, although its packets cannot reach the remote end");
    }
}
