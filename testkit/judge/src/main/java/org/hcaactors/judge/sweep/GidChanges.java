// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.world.World;

// rules qp-source-by-index, dc-responder, dc-stream-error
/**
 * Entries of a port's GID table are removed and restored while DC initiators send from them and targets answer from them.
 * Packets without a source address are lost, and are retransmitted or given up. When all entries are back, all initiators are
 * served again, whichever packet was affected; and no value is added twice, nor a window bound or invalidated twice.
 */
final class GidChanges implements Workload {
    private static final int MAX_MILLIS = 200;
    private static final int SHORT_NANOS = 300_000;
    private static final int LONG_NANOS = 3_000_000;
    private static final int SOURCES = 2;

    /**
     * A port under test.
     *
     * @param gids its GID table as created
     */
    private record Port(Adapter node, List<Gid> gids) {}

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final Port asking;
    private final Port answering;
    private final List<DcTargetProcess> targets = new ArrayList<>();
    private final List<GidInitiator> initiators = new ArrayList<>();

    /** By target: how many additions were posted, and how many succeeded. */
    private final Map<DcTargetProcess, long[]> added = new LinkedHashMap<>();

    private int number;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("sources cannot start", () -> new GidChanges(sweep))
                .orElse(() -> {});
    }

    private GidChanges(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("sources");
        asking = port("asks-from", 1);
        answering = port("answers-from", 2);
        for (int source = 0; source < SOURCES; source++) {
            DcTargetProcess made = new DcTargetProcess(
                    sweep,
                    new DcTargetProcess.Kind(answering.node, "from " + source, false, UnaryOperator.identity(), source),
                    attributes(),
                    (to, completion) -> {});
            targets.add(made);
            added.put(made, new long[2]);
        }
        for (int i = random.nextInt(2); i >= 0; i--) {
            initiator("on streams " + i, Optional.of(new DcStreams(random.nextInt(2), 3)));
        }
        initiator("on one", Optional.empty());
    }

    private Port port(String name, int host) {
        Adapter node = world.network().addAdapter(name, Profile.CONNECTX_6, World.DEFAULT_LINK);
        List<Gid> gids = List.of(node.gid(), Gid.ofIpv4(10, 77, 7, host));
        Port made = new Port(node, gids);
        setGids(made, gids);
        return made;
    }

    private void setGids(Port port, List<Gid> gids) {
        world.network().setGidTable(port.node, gids);
        world.runFor(Duration.ofNanos(1));
    }

    private void initiator(String name, Optional<DcStreams> streams) {
        GidInitiator made = new GidInitiator(sweep, asking.node, name, streams, attributes());
        for (DcTargetProcess to : targets) {
            for (int source = 0; source < SOURCES; source++) {
                made.mayAsk(to, source);
            }
        }
        initiators.add(made);
    }

    private RcConnection attributes() {
        return sweep.patient(random);
    }

    @Override
    public void step() {
        sweep.runIfAlive("sources", this::act);
    }

    private void act() {
        GidInitiator initiator = initiators.get(random.nextInt(initiators.size()));
        initiator.recover();
        if (random.nextInt(8) == 0) {
            outage(random.nextBoolean() ? asking : answering);
        }
        for (int i = random.nextInt(5); i >= 0; i--) {
            ask(initiator);
        }
    }

    private void ask(GidInitiator initiator) {
        DcTargetProcess to = targets.get(random.nextInt(targets.size()));
        int stream = random.nextInt(initiator.streams());
        int source = random.nextInt(SOURCES);
        switch (random.nextInt(12)) {
            case 0 -> initiator.trespass(++number, stream, to, source);
            case 1, 2, 3 -> initiator.change(++number, stream, to, source);
            default -> add(initiator, stream, to, source, EnumSet.of(Status.RETRY_EXC_ERR));
        }
    }

    private void add(GidInitiator initiator, int stream, DcTargetProcess to, int source, Set<Status> mayFail) {
        long[] counts = Objects.requireNonNull(added.get(to));
        counts[0]++;
        initiator.add(++number, stream, to, source, () -> counts[1]++, mayFail);
    }

    /** Removes the second entry, or the first one so that the second takes its place; requests are posted meanwhile. */
    private void outage(Port port) {
        boolean moves = port == answering && random.nextBoolean();
        setGids(port, List.of(moves ? port.gids.getLast() : port.gids.getFirst()));
        for (int i = random.nextInt(6); i >= 0; i--) {
            ask(initiators.get(random.nextInt(initiators.size())));
            world.runFor(Duration.ofNanos(random.nextInt(random.nextInt(8) == 0 ? LONG_NANOS : SHORT_NANOS)));
        }
        setGids(port, port.gids);
    }

    /** Restores all entries, then sends from every source to every target. */
    @Override
    public void finish() {
        sweep.runIfAlive("sources", () -> {
            untilAllHaveEnded();
            initiators.forEach(GidInitiator::recover);
            for (GidInitiator initiator : initiators) {
                for (int stream = 0; stream < initiator.streams(); stream++) {
                    for (DcTargetProcess to : targets) {
                        for (int source = 0; source < SOURCES; source++) {
                            initiator.change(++number, stream, to, source);
                            add(initiator, stream, to, source, Set.of());
                        }
                    }
                }
            }
        });
    }

    private void untilAllHaveEnded() {
        for (int i = 0; i < MAX_MILLIS && !initiators.stream().allMatch(GidInitiator::hasEnded); i++) {
            world.runFor(Duration.ofMillis(1));
        }
    }

    @Override
    public void atRest() {
        FaultSeverity severity = sweep.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        added.forEach((target, times) -> {
            if (target.sum() < times[1] || target.sum() > times[0]) {
                throw new AssertionError(
                        "sources: %d was added to the word of the target %s by %d requests, of which %d succeeded"
                                .formatted(target.sum(), target, times[0], times[1]));
            }
        });
    }
}
