// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.function.Function;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.lab.pair.Side;

/** Queue pairs of perftest's server that are connected as the exchange over TCP says, in a process of their own. */
final class PerftestTcpQueuePairs implements PerftestServer.QueuePairs {
    private final Station station;
    private final HostProcess process;
    private final ProtectionDomain domain;
    private Function<PerftestQp.Connecting, PerftestQp> creating = connecting -> {
        throw new IllegalStateException("no memory has been created yet");
    };

    /** @param name of the process */
    PerftestTcpQueuePairs(Station station, String name) {
        this.station = station;
        process = station.adapter().process(name);
        domain = process.open().allocatePd();
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public void begin(Side side, PathMtu mtu, Function<PerftestQp.Connecting, PerftestQp> with) {
        creating = with;
    }

    @Override
    public PerftestQp of(PerftestKeys client) throws PeerException {
        station.checkPeer(client.address());
        return creating.apply(PerftestQp.Connecting.to(client));
    }

    @Override
    public void close() {
        process.close();
    }
}
