// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.function.Function;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/**
 * The workloads: how often a seed has each, and its share of the acts. Each is drawn from a random stream of its own name, so
 * that a new one does not change the seeds without it.
 */
public enum WorkloadKind {
    VERBS(Verbs::new, 75, 6),
    SHARED_RECEIVES(SharedReceivesWorkload::new, 75, 6),
    KEY_DEREGISTRATION(KeyDeregistration::new, 60, 2),
    ACCESS_VIOLATIONS(AccessViolations::new, 60, 1),
    UNRELIABLE(Unreliable::new, 50, 4),
    DATAGRAMS(Datagrams::new, 50, 2),
    MINIMAL_QUEUE_DEPTHS(MinimalQueueDepths::new, 50, 4),
    SHORT_SUBSCRIPTIONS(ShortSubscriptions::new, 60, 6),
    DRAINS(Drains::new, 40, 2),
    HOT_PLUGGED_ADAPTERS(HotPluggedAdapters::new, 20, 1),
    VERB_ERRNO_CHECKS(VerbErrnoChecks::new, 30, 1),
    CQ_DESTROY_RACES(CqDestroyRaces::new, 40, 1),
    REQUESTER_REGION_LOSS(RequesterRegionLoss::new, 60, 5),
    OBJECT_DESTROY_RACES(ObjectDestroyRaces::new, 35, 1),
    CONTEXT_CLOSE_RACES(ContextCloseRaces::new, 35, 1),
    CONNECTION_CLOSE_RACES(ConnectionCloseRaces::new, 50, 4),
    PORT_CHANGES(PortChanges::new, 30, 1),
    LOST_ANSWERS(LostAnswers::new, 30, 1),
    INVALID_KEYS(InvalidKeys::new, 40, 2),
    EXACT_FIT_RECEIVES(ExactFitReceives::new, 40, 3),
    EXTREME_ATTRIBUTES(ExtremeAttributes::new, 60, 5),
    SHARED_QUEUES(SharedQueues::new, 45, 5),
    MODIFIED(AttributeChanges::new, 45, 4),
    WINDOW_TRAFFIC(WindowTraffic::new, 60, 4),
    SHORT_TIMEOUT_READS(ShortTimeoutReads::new, 15, 1),
    CHANGING_REGION(ChangingRegion::new, 40, 3),
    INDIRECT_KEYS(IndirectKeys::new, 45, 6),
    SCARCE_PAGES(ScarcePages::new, 35, 3),
    SPECIAL_REGIONS(SpecialRegions::new, 45, 5),
    PAGED_REGIONS(SpecialRegions::paged, 45, 5),
    INLINE_DATA(InlineDataTraffic::begin, 45, 5),
    POSTED_LISTS(PostedLists::begin, 40, 4),
    AS_NOTIFY(AsNotifyWakes::new, 45, 5),
    SHARED_WORDS(SharedWords::begin, 50, 5),
    TUNNELED_WORDS(TunneledWords::begin, 30, 2),
    RESTARTED_ADAPTER(RestartedAdapter::new, 45, 5),
    XRC_QUEUES(XrcQueues::new, 35, 5),
    DYNAMIC(DynamicTargets::new, 35, 5),
    CONNECTIONS(Connections::new, 30, 3),
    /** More expensive than others, since its long messages are fetched. */
    TAGGED(TaggedMessages::begin, 20, 4),
    /** Runs alone, in its own tests: it is expensive. */
    DC_RENDEZVOUS(DcRendezvous::begin, 0, 5),
    /** Runs alone, like the one before. */
    DC_RENDEZVOUS_GID_CHANGES(DcRendezvous::beginWhereSourcesGo, 0, 5),
    /** Runs alone, like the one before. */
    GID_CHANGES(GidChanges::begin, 0, 5),
    /** Expensive when every byte is recorded; in worlds without invariants, it is the check that bytes are right. */
    LARGE_MESSAGES(LargeMessages::new, 5, 1) {
        @Override
        int oddsPercent(Watch watch) {
            return watch == Watch.NOBODY ? 75 : super.oddsPercent(watch);
        }
    };

    private final Function<SweepContext, Workload> factory;
    private final int oddsPercent;
    private final int weight;

    WorkloadKind(Function<SweepContext, Workload> factory, int oddsPercent, int weight) {
        this.factory = factory;
        this.oddsPercent = oddsPercent;
        this.weight = weight;
    }

    /**
     * Runs a seed of {@link MixedTraffic} with this workload only, to the end of its world.
     *
     * @throws AssertionError as {@link MixedTraffic#run}
     */
    public Result run(Swarm swarm, Watch watch, long seed) {
        Sweep sweep = Sweep.of(1).from(seed).with(swarm).with(watch);
        return Sweep.toItsEnd(sweep.world(seed), sweep.plan(seed), world -> MixedTraffic.run(world, this));
    }

    /** Runs as {@link #run(Swarm, Watch, long)}, with the invariants of a sweep. */
    public Result run(Swarm swarm, long seed) {
        return run(swarm, Watch.PROTOCOL, seed);
    }

    Workload begin(SweepContext sweep) {
        return factory.apply(sweep);
    }

    /** True if the seed of that world has it. */
    boolean isIn(World world) {
        return RandomStreams.of(world.seed(), "is there " + this).nextInt(100) < oddsPercent(world.watch());
    }

    /** Returns its place in the order in which the workloads of a seed act. */
    long placeIn(long seed) {
        return RandomStreams.of(seed, "place of " + this).nextLong();
    }

    /** Returns how many of a hundred seeds have it. */
    int oddsPercent(Watch watch) {
        return oddsPercent;
    }

    /** Returns its number of acts relative to the other workloads of its seed. */
    int weight() {
        return weight;
    }
}
