// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hcaactors.lab.nodes.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeConfigTest {
    private static final String HOST = "pekko.remote.artery.canonical.hostname";
    private static final String PORT = "pekko.remote.artery.canonical.port";

    @TempDir
    private Path folder;

    private Optional<Path> file(String text) throws IOException {
        return Optional.of(Files.writeString(folder.resolve("node.conf"), text));
    }

    @Test
    void aNodeListensAtLoopbackUnlessToldOtherwise() throws NodeException {
        Config config = NodeConfig.of(Optional.empty(), Optional.empty(), false);
        assertThat(config.getString(HOST)).isEqualTo("127.0.0.1");
        assertThat(config.getInt(PORT)).isZero();
    }

    @Test
    void theOptionGoesBeforeTheFileAndTheFileBeforeDefaults() throws IOException, NodeException {
        Optional<Path> file = file("pekko { remote.artery.canonical.port = 2551, loglevel = INFO }");
        Config all = NodeConfig.of(Optional.empty(), file, false);
        assertThat(all.getInt(PORT)).isEqualTo(2551);
        assertThat(all.getString("pekko.loglevel")).isEqualTo("INFO");
        assertThat(NodeConfig.of(Optional.of(HostPort.parse("127.0.0.1:2552")), file, false)
                        .getInt(PORT))
                .isEqualTo(2552);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pekko.remote.artery.canonical.hostname",
                "pekko.remote.artery.bind.hostname",
                "pekko.management.http.hostname",
                "pekko.management.http.bind-hostname"
            })
    void anAddressOfANetworkIsRefusedUnlessAllowed(String path) throws IOException, NodeException {
        Optional<Path> file = file(path + " = 192.0.2.1");
        assertThatExceptionOfType(NodeException.class)
                .isThrownBy(() -> NodeConfig.of(Optional.empty(), file, false))
                .withMessage(path + " is 192.0.2.1, which is no loopback address; --beyond-loopback allows it, for"
                        + " networks whose hosts are all trusted");
        assertThat(NodeConfig.of(Optional.empty(), file, true).getString(path)).isEqualTo("192.0.2.1");
    }

    @Test
    void aFileThatIsNoConfigurationIsRefused() throws IOException {
        Optional<Path> file = file("pekko {");
        assertThatExceptionOfType(NodeException.class)
                .isThrownBy(() -> NodeConfig.of(Optional.empty(), file, false))
                .withMessageContaining("node.conf: 1:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", "host:65536", "::1:2551", "a b:1", "x@y:1"})
    void whatIsNoHostAndPortIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostPort.parse(text))
                .withMessageContaining("'" + text + "' is no HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "node-1.example:2551", "[::1]:65535"})
    void hostAndPortAreRead(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
    }
}
