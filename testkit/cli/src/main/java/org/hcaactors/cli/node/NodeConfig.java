// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.nodes.HostPort;

/** Configuration of a node's actor system: what the command says, then the user's file, then the defaults of a node. */
public final class NodeConfig {
    /** Hosts at which a node listens: Artery, and the management endpoints if they are on the class path. */
    private static final List<String> HOSTS = List.of(
            "pekko.remote.artery.canonical.hostname",
            "pekko.remote.artery.bind.hostname",
            "pekko.management.http.hostname",
            "pekko.management.http.bind-hostname");

    private static final String DEFAULTS = """
            pekko {
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              management.http { hostname = "127.0.0.1", port = 0 }
              cluster {
                downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
                jmx.enabled = off
              }
              scheduler.tick-duration = 1ms
              loglevel = WARNING
              log-dead-letters = off
              # The command ends the node when it is interrupted, and prints its counters.
              coordinated-shutdown { run-by-jvm-shutdown-hook = off, exit-jvm = off }
              jvm-shutdown-hooks = off
            }
            """;

    private NodeConfig() {}

    /**
     * Returns the configuration.
     *
     * @param bind where Artery listens; empty: as in the file, or at any port of 127.0.0.1
     * @param beyondLoopback whether the node may listen at addresses of networks
     * @throws NodeException if the file cannot be used, or the node would listen at an address of a network
     */
    public static Config of(Optional<HostPort> bind, Optional<Path> file, boolean beyondLoopback) throws NodeException {
        try {
            Config own = bind.map(NodeConfig::canonical).orElseGet(ConfigFactory::empty);
            Config users =
                    file.map(path -> ConfigFactory.parseFile(path.toFile())).orElseGet(ConfigFactory::empty);
            Config all = ConfigFactory.load(
                    own.withFallback(users).withFallback(ConfigFactory.parseString(DEFAULTS, parsed())));
            if (!beyondLoopback) {
                checkLoopback(all);
            }
            return all;
        } catch (ConfigException wrong) {
            throw new NodeException(String.valueOf(wrong.getMessage()));
        }
    }

    private static com.typesafe.config.ConfigParseOptions parsed() {
        return com.typesafe.config.ConfigParseOptions.defaults().setOriginDescription("defaults of hca node");
    }

    private static Config canonical(HostPort bind) {
        return ConfigFactory.parseString("pekko.remote.artery.canonical { hostname = \"%s\", port = %d }"
                .formatted(bind.uriHost(), bind.port()));
    }

    private static void checkLoopback(Config all) throws NodeException {
        for (String path : HOSTS) {
            String host = all.hasPath(path) ? all.getString(path) : "";
            if (!host.isEmpty() && !HostPort.isLoopback(host)) {
                throw new NodeException(path + " is " + host + ", which is no loopback address; --beyond-loopback"
                        + " allows it, for networks whose hosts are all trusted");
            }
        }
    }
}
