// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.mesh.MeshNode;
import org.hcaactors.cli.node.ClusterNode;
import org.hcaactors.cli.node.Entrance;
import org.hcaactors.cli.node.NodeConfig;
import org.hcaactors.cli.node.NodeException;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.lab.nodes.HostPort;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "scale-node", hidden = true, description = "A JVM of hca scale --cluster; it ends with its input.")
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class ScaleNodeCommand implements Callable<Integer> {
    @Option(names = "--join", converter = AddressOption.class)
    private @Nullable HostPort join;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException, IOException {
        Profile profile = model.profile();
        Entrance entrance = join == null ? new Entrance.First() : new Entrance.Join(List.of(join));
        try (ClusterNode node = new ClusterNode.Start(
                        NodeConfig.of(Optional.empty(), Optional.empty(), false),
                        entrance,
                        Optional.empty(),
                        profile,
                        TraceSink.NONE)
                .node(event -> {})) {
            new MeshNode(node, profile, spec.commandLine().getOut())
                    .run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            // Its adapters have been drained, or the command has ended.
            Runtime.getRuntime().halt(Hca.OK);
            return Hca.OK;
        } catch (NodeException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }
}
