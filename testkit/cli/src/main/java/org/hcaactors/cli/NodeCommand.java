// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.hcaactors.cli.gateway.Clients;
import org.hcaactors.cli.gateway.ConnectionService;
import org.hcaactors.cli.node.ClusterNode;
import org.hcaactors.cli.node.Entrance;
import org.hcaactors.cli.node.LocalNodes;
import org.hcaactors.cli.node.NodeConfig;
import org.hcaactors.cli.node.NodeException;
import org.hcaactors.cli.node.Pings;
import org.hcaactors.lab.nodes.HostPort;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "node",
        description = {
            "Runs a node of a cluster: an adapter that programs on other nodes reach by its name.",
            "Without --join it is the first node of a new cluster, unless the file of --config has seed nodes or Pekko"
                    + " Management's bootstrap, and prints the line with which others join. It listens on 127.0.0.1 unless"
                    + " --bind says something else.",
            "Each node has a server for pings at port 7174 of its adapter: it READs the data of each ping and WRITEs them"
                    + " back, as the server of rping does. --ping sends some to another node's adapter and compares what comes"
                    + " back: exit status 1 if it differs, or does not come.",
            "--nodes 3 starts three nodes on this machine, each in a JVM of its own; each pings every other one, and a table"
                    + " shows the results.",
            "It prints members and adapters as they come and go, and at the end the counters of packets between nodes. It"
                    + " ends after its pings, --clients or --for, if it is interrupted, or if the cluster removes it (status 1)."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class NodeCommand implements Callable<Integer> {
    private static final int LARGEST = 1 << 24;

    /** Data of pings that a node serves, at least. */
    private static final int SERVED = 1 << 20;

    private static final long MAX_PINGS = 100_000_000;
    private static final int MAX_CLIENTS = 1_000_000;
    private static final int MAX_NODES = 16;
    private static final Duration LONGEST = Duration.ofDays(30);

    /** Options that several nodes on this machine have in common. */
    private static final Set<String> COMMON =
            Set.of("--config", "--beyond-loopback", "--iters", "--size", "--profile", "--with");

    @Option(names = "--name", description = "name of its adapter (default: node- and the port of --bind)")
    private @Nullable String name;

    @Option(
            names = "--bind",
            paramLabel = "HOST:PORT",
            converter = AddressOption.class,
            description = "where it listens for other nodes; port 0: any that is free (default: 127.0.0.1:0)")
    private @Nullable HostPort bind;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            converter = AddressOption.class,
            description =
                    "a node of the cluster to join; repeatable. If the first one is this node itself, it begins a cluster"
                            + " when no other one answers, so that all nodes may have the same options")
    private @Nullable List<HostPort> join;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Pekko's configuration of the node in HOCON, such as TLS or seed nodes")
    private @Nullable Path config;

    @Option(
            names = "--beyond-loopback",
            description = "allow addresses of networks. Without Pekko's TLS every host there must be trusted")
    private boolean beyondLoopback;

    @Option(names = "--ping", paramLabel = "NAME", description = "adapter of another node to ping; repeatable")
    private @Nullable List<String> ping;

    @Option(
            names = {"-n", "--iters"},
            defaultValue = "1000",
            description = "pings to each (default: 1000)")
    @AllowedRange(min = 1, max = MAX_PINGS)
    private long pings;

    @Option(
            names = {"-s", "--size"},
            defaultValue = "4096",
            description = "bytes of a ping (default: 4096); a node serves 1048576, or its own --size")
    @AllowedRange(min = 0, max = LARGEST)
    private int size;

    @Option(names = "--nodes", description = "start so many nodes on this machine instead")
    @AllowedRange(min = 2, max = MAX_NODES)
    private @Nullable Integer nodes;

    @Option(
            names = "--clients",
            description = "end after so many clients, with status 1 if one of them failed (default: any number)")
    @AllowedRange(min = 1, max = MAX_CLIENTS)
    private @Nullable Integer clients;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "end after that time: 30s, 10m, 1h (default: after its pings, or when it is interrupted)")
    private @Nullable Duration time;

    @Option(names = "--until-input-ends", description = "end when the standard input ends, and not before")
    private boolean untilInputEnds;

    @Option(names = "--json", description = "print one JSON object a line instead")
    private boolean json;

    @Mixin
    private RecordOption record;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException {
        Checks check = new Checks(spec);
        check.that(time == null || !untilInputEnds, "omit --for or --until-input-ends");
        if (nodes != null) {
            check.that(
                    name == null && bind == null && join == null && ping == null,
                    "omit --nodes, or --name, --bind, --join and --ping");
            check.that(
                    time == null && clients == null && !untilInputEnds && !record.isUsed(),
                    "omit --nodes, or --for, --clients, --until-input-ends and --record");
            return several(nodes);
        }
        try {
            return one();
        } catch (NodeException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }

    private int one() throws NodeException, BadInputException, InterruptedException {
        if (config != null) {
            BadInputException.unlessReadable(config);
        }
        NodeOutput output = new NodeOutput(spec.commandLine().getOut(), json);
        Pings sent = new Pings(pings, size);
        Clients served = new Clients(output::client, clients == null ? 0 : clients);
        Config all = NodeConfig.of(Optional.ofNullable(bind), Optional.ofNullable(config), beyondLoopback);
        ClusterNode.Start start = new ClusterNode.Start(
                all,
                join == null ? Entrance.of(all) : new Entrance.Join(join),
                Optional.ofNullable(name),
                model.profile(),
                record.trace());
        Runnable stop = () -> {
            sent.stop();
            served.stop();
        };
        try (Interruption interruption = Interruption.calling(stop)) {
            ClusterNode node = start.node(event -> {
                output.happened(event);
                sent.saw(event);
            });
            int status;
            try (node) {
                node.removed().thenRun(stop);
                status = serve(node, served, sent, stop, output);
            }
            record.write();
            output.counters(node.counters());
            return interruption.reported(status);
        }
    }

    private int serve(ClusterNode node, Clients served, Pings sent, Runnable stop, NodeOutput output)
            throws InterruptedException {
        int largest = Math.max(size, SERVED);
        try (served;
                ConnectionService server = ConnectionService.rping(
                        node.network(), node.adapter(), ConnectionService.RPING_PORT, served, largest, 0)) {
            output.started(node, server.port());
            if (untilInputEnds) {
                whenInputEnds(stop);
            }
            boolean good = ping(node, sent, output);
            if (time != null || untilInputEnds || clients != null || ping == null) {
                served.await(time == null ? LONGEST : time);
            }
            if (node.removed().isDone()) {
                output.removed();
                return Hca.NOT_AS_EXPECTED;
            }
            return good && !served.missing() ? Hca.OK : Hca.NOT_AS_EXPECTED;
        }
    }

    private static void whenInputEnds(Runnable stop) {
        Thread.ofPlatform().daemon().name("input").start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Input has no meaning but its end.
                }
            } catch (IOException broken) {
                // That is an end, too.
            }
            stop.run();
        });
    }

    private boolean ping(ClusterNode node, Pings sent, NodeOutput output) throws InterruptedException {
        boolean good = true;
        for (String to : ping == null ? List.<String>of() : ping) {
            try {
                output.pinged(sent.to(to, node));
            } catch (NodeException failed) {
                output.pingFailed(to, String.valueOf(failed.getMessage()));
                good = false;
            }
        }
        return good;
    }

    private int several(int number) throws BadInputException, InterruptedException {
        NodeOutput output = new NodeOutput(spec.commandLine().getOut(), json);
        try (LocalNodes local = new LocalNodes(Hca.class, number, commonArguments());
                Interruption interruption = Interruption.calling(local::stop)) {
            List<LocalNodes.Pair> pairs = local.run(output::progress);
            output.table(pairs);
            boolean good = pairs.stream().allMatch(LocalNodes.Pair::isGood);
            return interruption.reported(good ? Hca.OK : Hca.NOT_AS_EXPECTED);
        } catch (NodeException failed) {
            throw new BadInputException(String.valueOf(failed.getMessage()));
        }
    }

    private List<String> commonArguments() {
        List<String> all = new ArrayList<>();
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (COMMON.contains(option.longestName())) {
                if (option.arity().max() == 0) {
                    all.add(option.longestName());
                } else {
                    option.originalStringValues().forEach(value -> all.addAll(List.of(option.longestName(), value)));
                }
            }
        }
        return all;
    }
}
