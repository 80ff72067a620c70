// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.mesh.MeshNodes;
import org.hcaactors.cli.node.NodeException;
import org.hcaactors.judge.scale.BuiltMesh;
import org.hcaactors.judge.scale.Cluster;
import org.hcaactors.judge.scale.Measurement;
import org.hcaactors.judge.scale.Scheme;
import org.hcaactors.placement.AdapterPlacement;

/**
 * Meshes that several JVMs hold together, each beside the same one in one JVM.
 *
 * @param nodes sizes, of which the largest that may be built is measured
 * @param jvms number of them
 */
record ScaleOverNodes(List<Integer> nodes, int processes, long maxQueuePairs, int jvms) {
    private static final int PERCENT = 100;

    /** A mesh, once in one JVM and once over several. */
    private record Meshes(Scheme scheme, Measurement one, List<MeshNodes.Share> shares) {
        long largestHeap() {
            return shares.stream()
                    .mapToLong(share -> share.cost().heapBytes())
                    .max()
                    .orElseThrow();
        }
    }

    /** @throws BadInputException if there is nothing to build, a JVM does not start, or an adapter refuses */
    void run(List<Scheme> schemes, Profile profile, List<String> modelArguments, PrintWriter out, boolean json)
            throws BadInputException {
        List<Cluster> clusters = new ArrayList<>();
        for (Scheme scheme : schemes) {
            clusters.add(cluster(scheme));
        }
        List<Meshes> all = new ArrayList<>();
        try (MeshNodes children = MeshNodes.start(Hca.class, jvms, modelArguments);
                Interruption interruption = Interruption.calling(children::stop)) {
            for (int i = 0; i < schemes.size(); i++) {
                Scheme scheme = schemes.get(i);
                List<MeshNodes.Share> shares = children.measure(scheme, clusters.get(i));
                BuiltMesh gauge = new BuiltMesh(profile, System::nanoTime, built -> {});
                gauge.warm(scheme);
                all.add(new Meshes(scheme, gauge.measure(scheme, clusters.get(i)), shares));
                if (!json) {
                    print(all.getLast(), i == 0, out);
                }
            }
            interruption.reported(Hca.OK);
        } catch (NodeException failed) {
            throw new BadInputException(String.valueOf(failed.getMessage()));
        }
        if (json) {
            out.println(asJson(all));
        }
        out.flush();
    }

    private Cluster cluster(Scheme scheme) throws BadInputException {
        return nodes.stream()
                .filter(count -> count >= jvms && count <= AdapterPlacement.MAX_ADAPTERS)
                .map(count -> new Cluster(count, processes))
                .filter(cluster -> scheme.ofNode(cluster).inAll(cluster) <= maxQueuePairs)
                .max(Comparator.comparing(Cluster::nodes))
                .orElseThrow(() ->
                        new BadInputException("--cluster " + jvms + " measures the largest size of --nodes that has "
                                + jvms + " to " + AdapterPlacement.MAX_ADAPTERS + " nodes and, for " + scheme.name()
                                + ", at most the " + maxQueuePairs + " queue pairs of --measure-up-to; there is none"));
    }

    private void print(Meshes meshes, boolean isFirst, PrintWriter out) {
        if (isFirst) {
            out.printf(
                    "%d process%s a node, one adapter each, placed on %d JVMs; heap is that of idle queue pairs%n",
                    processes, processes == 1 ? "" : "es", jvms);
        }
        Measurement one = meshes.one;
        out.printf(
                "%n%-22s  %8s  %10s  %8s  %10s%n",
                meshes.scheme.name() + ", " + one.cluster().nodes() + " nodes", "adapters", "qps", "bytes/qp", "KiB");
        print("one JVM", one.cluster().nodes(), one.queuePairs(), one.heapBytes(), out);
        meshes.shares.forEach(share -> print(
                share.node(),
                share.cost().nodes(),
                share.cost().queuePairs(),
                share.cost().heapBytes(),
                out));
        out.printf("the largest heap has %d%% of that of one JVM%n", PERCENT * meshes.largestHeap() / one.heapBytes());
        out.flush();
    }

    private static void print(String jvm, int adapters, long queuePairs, long heapBytes, PrintWriter out) {
        out.printf(
                "%-22s  %,8d  %,10d  %,8d  %,10d%n",
                jvm, adapters, queuePairs, queuePairs == 0 ? 0 : heapBytes / queuePairs, heapBytes >> 10);
    }

    private ObjectNode asJson(List<Meshes> all) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("processes", processes).put("measureUpTo", maxQueuePairs).put("jvms", jvms);
        ArrayNode rows = root.putArray("rows");
        for (Meshes meshes : all) {
            ObjectNode row = rows.addObject();
            row.put("transport", meshes.scheme.name())
                    .put("nodes", meshes.one.cluster().nodes());
            put(row.putObject("oneJvm"), meshes.one.cluster().nodes(), meshes.one.queuePairs(), meshes.one.heapBytes());
            ArrayNode shares = row.putArray("byJvm");
            meshes.shares.forEach(share -> put(
                    shares.addObject().put("node", share.node()),
                    share.cost().nodes(),
                    share.cost().queuePairs(),
                    share.cost().heapBytes()));
            row.put("largestHeapBytes", meshes.largestHeap());
        }
        return root;
    }

    private static void put(ObjectNode into, int adapters, long queuePairs, long heapBytes) {
        into.put("adapters", adapters).put("queuePairs", queuePairs).put("heapBytes", heapBytes);
    }
}
