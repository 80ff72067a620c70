// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.time.Duration;
import org.hcaactors.api.device.Profile;
import org.hcaactors.placement.AdapterPlacement;
import org.hcaactors.placement.PlacementSettings;
import org.hcaactors.tests.cable.ReadyProcess;

/** A program that is a node, which takes adapters with memory. When its input ends, the node leaves in order. */
final class PlacementProgram {
    static final PlacementSettings SETTINGS =
            PlacementSettings.of(Profile.CONNECTX_5).withDrainTime(Duration.ofSeconds(2));

    private PlacementProgram() {}

    /** @param arguments name of the node, its port, address of a node to join */
    public static void main(String[] arguments) throws IOException {
        try (Node node = Node.start(arguments[0], Integer.parseInt(arguments[1]), arguments[2], config())) {
            start(node);
            ReadyProcess.ready();
            Node.end(node.system);
        }
    }

    /** A silent node is taken for dead soon. */
    static Config config() {
        return ConfigFactory.parseString("pekko.cluster.split-brain-resolver.stable-after = 5s");
    }

    static AdapterPlacement start(Node node) {
        return AdapterPlacement.start(node.system, node.host.network, new PlacedMemory(node.host.network), SETTINGS);
    }
}
