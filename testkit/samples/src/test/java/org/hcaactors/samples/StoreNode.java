// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.io.IOException;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.hcaactors.api.device.Profile;
import org.hcaactors.network.RdmaNetwork;

/** A program that is a node with a {@link KeyValueStore}, until its standard input ends. */
final class StoreNode {
    static final String READY = "ready";

    private StoreNode() {}

    /** @param arguments address of a node to join */
    public static void main(String[] arguments) throws IOException {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "fabric", ClusterNodesTest.CONFIG);
        Cluster.get(system).manager().tell(Join.create(AddressFromURIString.parse(arguments[0])));
        try (RdmaNetwork network = ClusterNodesTest.network(system)) {
            network.await(KeyValueStore.open(
                    network.addAdapter("store", Profile.CONNECTX_5).process("app"), StoreOverNodesTest.ENDPOINT));
            System.out.println(READY);
            while (System.in.read() >= 0) {
                // Input has no meaning but its end.
            }
        } finally {
            system.terminate();
        }
    }
}
