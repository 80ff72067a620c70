// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

// rules atomic-tunneled-region, atomic-tunneled-whole
/**
 * WRITEs with tunneled atomics, from one to several hundred, to an adapter on a platform that supports them. Each atomic adds
 * one to the same words: at the end each word has at least the number of successful requests and at most the number posted, and
 * all words are equal.
 */
final class TunneledWords implements Workload {
    private static final int WORDS = 8;
    private static final int MAX_ROUNDS = 40;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Ends<RcEnd> ends;
    private final QueuePairLife life;
    private final HostMemory words;
    private final MemoryRegion tunneled;
    private long tried;
    private long succeeded;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("tunneled words cannot start", () -> new TunneledWords(sweep))
                .orElse(() -> {});
    }

    private TunneledWords(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("tunneled words");
        Profile profile = Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(Feature.TUNNELED_ATOMIC));
        Adapter power = sweep.world().network().addAdapter("power", profile, LinkProperties.IDEAL);
        // The range of a WRITE is in the region, whatever its atomics access.
        Side target = Side.of(
                sweep.world().network(), power, SweepNode.PROCESS, (long) MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        words = target.memory();
        tunneled = sweep.world()
                .await(target.domain()
                        .register(Registration.of(words)
                                .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                                .withTunneledAtomics()));
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(power, SweepNode.PROCESS, words);
        }
        Side source = Side.within(
                sweep.world().network(), sweep.a().domain, (long) MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        ByteBuffer commands = ByteBuffer.allocate(MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        for (int i = 0; i < MAX_ROUNDS * WORDS; i++) {
            commands.put(TunneledCommand.ofLong(TunneledCommand.Function.ADD, (long) i % WORDS * Long.BYTES, 1L)
                    .toBytes());
        }
        source.memory().write(0, commands.array());
        ends = sweep.connected(Half.on(source), Half.on(target), sweep.patient(random));
        life = sweep.promises().life("tunneled words");
    }

    @Override
    public void step() {
        int rounds = random.nextInt(3) == 0 ? 1 + random.nextInt(MAX_ROUNDS) : 1;
        tried += rounds;
        var stage = ends.a()
                .submit(RdmaWrite.of(
                        rounds, ends.a().slice(0, rounds * WORDS * TunneledCommand.BYTES), tunneled.remote(0)));
        life.add("commands", stage, () -> {});
        stage.thenAccept(completion -> succeeded += completion.isSuccess() ? rounds : 0);
    }

    @Override
    public void atRest() {
        FaultSeverity severity = sweep.severity();
        if (severity == FaultSeverity.DISASTER || severity == FaultSeverity.HOSTILE) {
            return;
        }
        long first = words.readLong(0);
        for (int i = 0; i < WORDS; i++) {
            long word = words.readLong((long) i * Long.BYTES);
            if (word < succeeded || word > tried || word != first) {
                throw new AssertionError(
                        "tunneled words: word %d is %d, but the first word is %d; %d of %d rounds succeeded"
                                .formatted(i, word, first, succeeded, tried));
            }
        }
    }
}
