// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;

/** A program that is a node, whose memory every client may read and write. It ends when the cluster downs it. */
final class NodeProgram {
    private NodeProgram() {}

    /** @param arguments name of the node, its port, address of a node to join; port where it listens, if it is another one */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        String listens = arguments.length > 3 ? arguments[3] : arguments[1];
        Config more = ConfigFactory.parseString("""
                pekko.coordinated-shutdown.exit-jvm = on
                pekko.remote.artery.bind.port = %s
                pekko.cluster.split-brain-resolver.stable-after = %ds
                """.formatted(listens, PartitionsTest.STABLE_SECONDS));
        try (Node node = Node.start(arguments[0], port, arguments[2], more)) {
            MemoryServer.serve(node.host);
            ReadyProcess.ready();
        }
    }
}
