// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.network.FabricWatch;
import org.hcaactors.network.RdmaNetwork;

/**
 * A separate network, for what would disturb others: cables, GID tables, a watcher. It is closed while a process in it is open.
 */
final class NetworkRound implements Round {
    private static final int DEFAULT_PKEY = 0xFFFF;
    private final List<Round> within;

    /**
     * Creates the round.
     *
     * @param within rounds of which one is played in the network
     */
    NetworkRound(List<Round> within) {
        this.within = within;
    }

    @Override
    public void play(WorkerEnvironment environment) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            environment.tally().objects.add(3);
            Adapter a = network.addAdapter("a", Profile.CONNECTX_6, LinkProperties.of(1000, 10_000_000_000L));
            Adapter b = network.addAdapter("b", Profile.CONNECTX_6);
            WorkerEnvironment inside = environment.on(network, a, b);
            FabricWatch watch = network.watch(64);
            TakesSome<FabricEvent> events = TakesSome.to(watch.events(), 4);
            new ReliableRound().play(inside);
            environment.await(events.taken());
            within.get(environment.random().nextInt(within.size())).play(inside);
            SoakContext left = inside.left();
            left.context.asyncEvents().subscribe(new TakesSome<>(1));
            network.unplug(a);
            network.plug(a);
            network.setGidTable(a, List.of(Gid.ofIpv4(10, 0, 7, 7)));
            network.setPkeyTable(b, List.of(DEFAULT_PKEY, 0x8001));
            watch.close();
        }
    }
}
