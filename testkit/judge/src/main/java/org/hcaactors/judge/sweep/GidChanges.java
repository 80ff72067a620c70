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
 * Entries of the GID table of a port go, and come back, while initiators ask from them over DC and targets answer from them. What has no
 * way then is lost, and asked for again or given up. When all are back, everybody is served again, whomever a CONNECT met; and nothing
 * is added twice, nor a window bound or invalidated twice.
 */
final class GidChanges implements Workload {
    private static final int MAX_MILLIS = 200;
    private static final int SHORT_NANOS = 300_000;
    private static final int LONG_NANOS = 3_000_000;
    private static final int SOURCES = 2;

    /** @param gids its table as it was made */
    private record Port(Adapter node, List<Gid> gids) {}

    private final SweepContext setting;
    private final World world;
    private final SplittableRandom random;
    private final Port asking;
    private final Port answering;
    private final List<DcTargetProcess> asked = new ArrayList<>();
    private final List<GidInitiator> initiators = new ArrayList<>();

    /** How often a target's word was to be added to, and how often that succeeded. */
    private final Map<DcTargetProcess, long[]> added = new LinkedHashMap<>();

    private int number;

    /** Nothing to do where a disaster has struck. */
    static Workload begin(SweepContext setting) {
        return setting.<Workload>tryCreate("sources can't begin", () -> new GidChanges(setting))
                .orElse(() -> {});
    }

    private GidChanges(SweepContext setting) {
        this.setting = setting;
        world = setting.world();
        random = setting.random("sources");
        asking = port("asks-from", 1);
        answering = port("answers-from", 2);
        for (int source = 0; source < SOURCES; source++) {
            DcTargetProcess made = new DcTargetProcess(
                    setting,
                    new DcTargetProcess.Kind(answering.node, "from " + source, false, UnaryOperator.identity(), source),
                    attributes(),
                    (to, completion) -> {});
            asked.add(made);
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
        GidInitiator made = new GidInitiator(setting, asking.node, name, streams, attributes());
        for (DcTargetProcess to : asked) {
            for (int source = 0; source < SOURCES; source++) {
                made.mayAsk(to, source);
            }
        }
        initiators.add(made);
    }

    private RcConnection attributes() {
        return setting.patient(random);
    }

    @Override
    public void step() {
        setting.runIfAlive("sources", this::act);
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
        DcTargetProcess to = asked.get(random.nextInt(asked.size()));
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

    /** The second entry goes, or the first one does and the second is the first; requests are posted meanwhile. */
    private void outage(Port port) {
        boolean moves = port == answering && random.nextBoolean();
        setGids(port, List.of(moves ? port.gids.getLast() : port.gids.getFirst()));
        for (int i = random.nextInt(6); i >= 0; i--) {
            ask(initiators.get(random.nextInt(initiators.size())));
            world.runFor(Duration.ofNanos(random.nextInt(random.nextInt(8) == 0 ? LONG_NANOS : SHORT_NANOS)));
        }
        setGids(port, port.gids);
    }

    /** All entries are there: each may ask each from each. */
    @Override
    public void finish() {
        setting.runIfAlive("sources", () -> {
            untilAllHaveEnded();
            initiators.forEach(GidInitiator::recover);
            for (GidInitiator initiator : initiators) {
                for (int stream = 0; stream < initiator.streams(); stream++) {
                    for (DcTargetProcess to : asked) {
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
        FaultSeverity severity = setting.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        added.forEach((target, times) -> {
            if (target.sum() < times[1] || target.sum() > times[0]) {
                throw new AssertionError(
                        "sources: %d was added to the word of the target %s, of %d requests, of which %d succeeded"
                                .formatted(target.sum(), target, times[0], times[1]));
            }
        });
    }
}
