// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads that change one port. */
@Timeout(60)
class PortChangesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final LinkProperties NARROW = new LinkProperties(0, 0, 1500, 1 << 20);
    private static final LinkProperties WIDE = new LinkProperties(0, 0, 9000, 1 << 20);

    private final World world = World.of(8);
    private final AdapterHandle adapter =
            (AdapterHandle) world.network().addAdapter("a", Profile.CONNECTX_5, LinkProperties.IDEAL);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aLinkChangesOnlyAfterTheFabricTookThePreviousChange() throws InterruptedException {
        halfWay(
                () -> adapter.setLink(NARROW),
                () -> adapter.setLink(WIDE),
                () -> assertThat(adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_1024));
        assertThat(adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_4096);
    }

    @Test
    void aPortIsPluggedInOnlyAfterTheFabricTookItsUnplugging() throws InterruptedException {
        halfWay(
                () -> adapter.plugged(false),
                () -> adapter.plugged(true),
                () -> assertThat(adapter.port(1).active()).isFalse());
        assertThat(adapter.port(1).active()).isTrue();
    }

    /** Holds the adapter's lock, so that the first change waits for it while the second is tried. */
    private void halfWay(Runnable first, Runnable second, Runnable then) throws InterruptedException {
        Thread one = new Thread(first);
        Thread other = new Thread(second);
        synchronized (adapter.commandSender()) {
            startUntilHeldUp(one);
            startUntilHeldUp(other);
            then.run();
        }
        assertThat(one.join(TIMEOUT)).as("the first change has ended").isTrue();
        assertThat(other.join(TIMEOUT)).as("the second change has ended").isTrue();
    }

    private static void startUntilHeldUp(Thread thread) {
        thread.start();
        await("the change stands before the adapter's door")
                .until(thread::getState, state -> state == Thread.State.BLOCKED);
    }
}
