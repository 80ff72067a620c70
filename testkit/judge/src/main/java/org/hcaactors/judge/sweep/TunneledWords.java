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

    private final SweepContext setting;
    private final SplittableRandom random;
    private final Ends<RcEnd> ends;
    private final QueuePairLife life;
    private final HostMemory words;
    private final MemoryRegion tunneled;
    private long tried;
    private long succeeded;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext setting) {
        return setting.<Workload>tryCreate("tunneled words cannot start", () -> new TunneledWords(setting))
                .orElse(() -> {});
    }

    private TunneledWords(SweepContext setting) {
        this.setting = setting;
        random = setting.random("tunneled words");
        Profile profile = Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(Feature.TUNNELED_ATOMIC));
        Adapter power = setting.world().network().addAdapter("power", profile, LinkProperties.IDEAL);
        // The range of a WRITE is in the region, whatever its atomics access.
        Side there = Side.of(
                setting.world().network(), power, SweepNode.PROCESS, (long) MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        words = there.memory();
        tunneled = setting.world()
                .await(there.domain()
                        .register(Registration.of(words)
                                .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                                .withTunneledAtomics()));
        if (setting.world().watch() != Watch.NOBODY) {
            setting.world().guard(power, SweepNode.PROCESS, words);
        }
        Side here = Side.within(
                setting.world().network(), setting.a().domain, (long) MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        ByteBuffer commands = ByteBuffer.allocate(MAX_ROUNDS * WORDS * TunneledCommand.BYTES);
        for (int i = 0; i < MAX_ROUNDS * WORDS; i++) {
            commands.put(TunneledCommand.ofLong(TunneledCommand.Function.ADD, (long) i % WORDS * Long.BYTES, 1L)
                    .toBytes());
        }
        here.memory().write(0, commands.array());
        ends = setting.connected(Half.on(here), Half.on(there), setting.patient(random));
        life = setting.promises().life("tunneled words");
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
        FaultSeverity severity = setting.severity();
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
