// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;

/** A program that is a node, whose memory every client may read and write. It ends when the cluster downs it. */
final class NodeProgram {
    private NodeProgram() {}

    /** @param arguments name of the node, its port, address of a node to join; more configuration, each a line of HOCON */
    public static void main(String[] arguments) throws IOException {
        String more = Arrays.stream(arguments).skip(3).collect(Collectors.joining("\n"));
        Config config = ConfigFactory.parseString("pekko.coordinated-shutdown.exit-jvm = on\n" + more);
        try (Node node = Node.start(arguments[0], Integer.parseInt(arguments[1]), arguments[2], config)) {
            MemoryServer.serve(node.host);
            ReadyProcess.ready();
        }
    }
}
