package org.hcaactors.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TorrentTest {
    private static final int SEEDS = 30;

    @ParameterizedTest
    @EnumSource(Watch.class)
    void whatIsSentInATorrentArrivesWhoeverWatches(Watch watch) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (World world = World.of(WorldOptions.of(seed).with(watch))) {
                SplittableRandom lots = new SplittableRandom(seed);
                Site a = new Site(
                        world, world.network().addAdapter("a", Profile.CONNECTX_5, LinkProperties.IDEAL), lots);
                Site b = new Site(
                        world, world.network().addAdapter("b", Profile.CONNECTX_5, LinkProperties.IDEAL), lots);
                Torrent torrent = new Torrent(world, a, b, RcConnection.DEFAULT.withMtu(PathMtu.BYTES_1024));
                for (int i = 0; i < 100; i++) {
                    if (torrent.next().isEmpty()) {
                        world.runFor(Duration.ofNanos(100));
                    }
                }
                world.heal(Duration.ofSeconds(60));
                torrent.end();
                assertThat(torrent.compared()).isGreaterThan(20);
            }
        }
    }
}
