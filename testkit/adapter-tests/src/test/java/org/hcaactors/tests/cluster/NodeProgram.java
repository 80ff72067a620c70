// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import java.io.IOException;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;

/** A program that is a node, whose memory every client may read and write. */
final class NodeProgram {
    private NodeProgram() {}

    /** @param arguments name of the node, its port, address of a node to join */
    public static void main(String[] arguments) throws IOException {
        try (Node node = Node.start(arguments[0], Integer.parseInt(arguments[1]), arguments[2])) {
            MemoryServer.serve(node.host);
            ReadyProcess.ready();
        }
    }
}
