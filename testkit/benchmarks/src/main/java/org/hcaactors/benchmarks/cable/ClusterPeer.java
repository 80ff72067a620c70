// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.IOException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;

/** The other JVM of a cluster; it ends with its input. */
public final class ClusterPeer {
    /** Name of its adapter. */
    static final String ADAPTER = "server";

    private ClusterPeer() {}

    /** @param arguments address of the first node */
    public static void main(String[] arguments) throws IOException {
        ActorSystem<Void> system = ClusterSystem.start(arguments[0]);
        ActorRef<BareMessage> bare = system.systemActorOf(BareReceiver.create(), "bare", Props.empty());
        try (RdmaServer rdma = new RdmaServer(new RdmaHost(ClusterSystem.network(system), ADAPTER))) {
            PeerProcess.answer(ActorRefResolver.get(system).toSerializationFormat(bare));
        }
        system.terminate();
    }
}
