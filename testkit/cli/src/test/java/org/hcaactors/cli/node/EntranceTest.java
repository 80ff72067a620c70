// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntranceTest {
    private static Entrance of(String text) {
        return Entrance.of(ConfigFactory.parseString(text).withFallback(ConfigFactory.load()));
    }

    @Test
    void aNodeBeginsAClusterWithoutOtherConfiguration() {
        assertThat(of("")).isEqualTo(new Entrance.First());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pekko.cluster.seed-nodes = [\"pekko://hca@127.0.0.1:2551\"]",
                "pekko.extensions = [\"org.apache.pekko.management.cluster.bootstrap.ClusterBootstrap\"]"
            })
    void aNodeWithSeedNodesOrABootstrapLeavesItToPekko(String text) {
        assertThat(of(text)).isEqualTo(new Entrance.Configured());
    }
}
