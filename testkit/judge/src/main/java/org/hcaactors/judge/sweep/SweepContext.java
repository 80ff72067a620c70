// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/**
 * Environment that the workloads of one run share.
 *
 * @param a node that sends most requests
 * @param b node that receives most requests
 * @param notifying adapter whose completion queues wake threads; fault plans name it, so it always exists
 * @param mtu path MTU between all nodes, unless a workload draws its own
 */
record SweepContext(
        World world,
        SweepNode a,
        SweepNode b,
        Adapter notifying,
        PathMtu mtu,
        PendingStages promises,
        RaisedEvents events) {
    static final String NOTIFYING = "notifying";

    /** Start of the last PSNs before the wrap to 0. */
    private static final int NEAR_THE_WRAP = 0xFF_FFE0;

    private static final int WIDTH = 64;

    /** One profile per behaviour. */
    private static final List<Profile> PROFILES = List.of(Profile.CONNECTX_5, Profile.CONNECTX_6, Profile.SOFT_ROCE);

    static SweepContext of(World world) {
        RaisedEvents events = RaisedEvents.of(world);
        SplittableRandom random = RandomStreams.of(world.seed(), "traffic");
        // A link without latency is the fast path, which only packet batches without a watcher take.
        int ideal = world.watch() == Watch.NOBODY ? 3 : 1;
        LinkProperties link = random.nextInt(4) < ideal
                ? LinkProperties.IDEAL
                : LinkProperties.of(200 + random.nextInt(2000), 10_000_000_000L);
        SweepNode a = new SweepNode(world, world.network().addAdapter("a", profile(random), link), random);
        SweepNode b = new SweepNode(world, world.network().addAdapter("b", profile(random), link), random);
        PathMtu mtu = PathMtu.values()[random.nextInt(PathMtu.values().length)];
        Profile wakes = profile(random).with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY));
        Adapter notifying = world.network().addAdapter(NOTIFYING, wakes);
        return new SweepContext(world, a, b, notifying, mtu, new PendingStages(world), events);
    }

    static Profile profile(SplittableRandom random) {
        long draw = random.nextLong();
        // Each profile draws a number of its own: a new profile changes only the draws that it wins.
        Profile profile = PROFILES.stream()
                .max(Comparator.comparingLong(
                        each -> RandomStreams.of(draw, each.name()).nextLong()))
                .orElseThrow();
        return random.nextInt(8) == 0 ? profile.with(Quirk.ARM_FIRES_FOR_UNPOLLED) : profile;
    }

    /** Returns what the armed faults may do. */
    FaultSeverity severity() {
        return FaultSeverity.of(world.faults());
    }

    /** Runs an act. False if it was refused after a disaster; throws AssertionError if it was refused without one. */
    boolean runIfAlive(String what, Runnable act) {
        return tryCreate(what, () -> {
                    act.run();
                    return true;
                })
                .isPresent();
    }

    /** Creates an object; empty if it was refused after a disaster. Throws AssertionError if it was refused without one. */
    <T> Optional<T> tryCreate(String what, Supplier<T> making) {
        try {
            return Optional.of(making.get());
        } catch (VerbsException refused) {
            if (severity() != FaultSeverity.DISASTER) {
                throw new AssertionError(what + ": " + refused, refused);
            }
            return Optional.empty();
        }
    }

    /** Returns each occurrence so far, the oldest first; empty in a world without invariants. */
    Stream<HcaEvent.Raised> raised(SweepNode site, AsyncEvent event) {
        return raised(site.adapter, event);
    }

    Stream<HcaEvent.Raised> raised(Adapter adapter, AsyncEvent event) {
        return events.of(adapter.name(), event);
    }

    /** Returns random numbers that no other workload draws from. */
    SplittableRandom random(String strand) {
        return RandomStreams.of(world.seed(), "strand " + strand);
    }

    /** Returns a connection from {@code a} to {@code b}. */
    Ends<RcEnd> connected(RcConnection attributes) {
        return connected(a.half(), b.half(), attributes);
    }

    Ends<RcEnd> connected(Half from, Half to, RcConnection attributes) {
        return RcEnd.connect(world.network(), from, to, attributes);
    }

    /**
     * Returns the given adapter if it has what a workload needs; otherwise a new one of the given profile, for this workload
     * only.
     */
    Adapter able(Adapter adapter, Predicate<Profile> can, String name, Profile otherwise) {
        return can.test(adapter.profile()) ? adapter : world.network().addAdapter(name, otherwise, World.DEFAULT_LINK);
    }

    /** Returns an adapter for one workload, which may change its port at will. */
    Side apart(String name, LinkProperties link, SplittableRandom random, int bytes) {
        Adapter adapter = world.network().addAdapter(name, profile(random), link);
        return Side.of(world.network(), adapter, SweepNode.PROCESS, bytes);
    }

    /** Returns attributes that survive anything a link does: 131 us, six retries, and unlimited RNR retries. */
    RcConnection patient(SplittableRandom random) {
        return RcConnection.DEFAULT
                .withMtu(mtu)
                .withTimeoutCode(5)
                .withRetryCount(6)
                .withRnrRetry(7)
                .withMinRnrTimerCode(1)
                .withRdAtomic(1 + random.nextInt(4))
                .withSendPsn(firstPsn(random))
                .withReceivePsn(firstPsn(random));
    }

    /** Returns a PSN shortly before or after the wrap. */
    static int firstPsn(SplittableRandom random) {
        return NEAR_THE_WRAP + random.nextInt(WIDTH) & 0xFF_FFFF;
    }
}
