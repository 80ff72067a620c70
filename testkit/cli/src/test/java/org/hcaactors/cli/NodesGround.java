// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.cli.node.ClusterNode;
import org.hcaactors.cli.node.Entrance;
import org.hcaactors.cli.node.NodeConfig;
import org.hcaactors.cli.node.NodeException;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;

/** Two nodes of a cluster: alice's adapters are on one of them, and those of the other side on the other one. */
final class NodesGround implements TourGround, AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** New adapters are known soon. */
    private static final Config QUICK = ConfigFactory.parseString(
            "pekko.cluster.distributed-data { gossip-interval = 50ms, notify-subscribers-interval = 20ms }");

    private final TraceRecorder trace = new TraceRecorder();
    private final ClusterNode near;
    private final ClusterNode far;

    NodesGround() throws NodeException, InterruptedException {
        near = node("near", new Entrance.First());
        far = node("far", new Entrance.Join(List.of(HostPort.parse(near.address()))));
    }

    private ClusterNode node(String name, Entrance entrance) throws NodeException, InterruptedException {
        Config config = QUICK.withFallback(NodeConfig.of(Optional.empty(), Optional.empty(), false));
        return new ClusterNode.Start(config, entrance, Optional.of(name), Profile.CONNECTX_5, trace).node(event -> {});
    }

    @Override
    public Optional<World> world() {
        return Optional.empty();
    }

    @Override
    public Adapter near(String name, Profile profile) {
        return added(near.network(), name, profile, far.network());
    }

    @Override
    public Adapter far(String name, Profile profile) {
        return added(far.network(), name, profile, near.network());
    }

    private static Adapter added(RdmaNetwork to, String name, Profile profile, RdmaNetwork other) {
        Adapter adapter = to.addAdapter(name, profile);
        Awaitility.with().atMost(LONGEST).until(() -> other.locate(name).isPresent());
        return adapter;
    }

    @Override
    public RdmaNetwork network() {
        return near.network();
    }

    /** A busy machine delays answers. */
    @Override
    public RcConnection terms(RcConnection wanted) {
        return wanted.withTimeout(Duration.ofMillis(130));
    }

    @Override
    public void settle() {}

    @Override
    public void runFor(Duration time) {}

    @Override
    public void until(BooleanSupplier condition, Duration within) {
        Awaitility.with().atMost(LONGEST).until(condition::getAsBoolean);
    }

    @Override
    public List<WorkCompletion> poll(CompletionQueue queue, int count, Duration within) {
        List<WorkCompletion> all = new ArrayList<>();
        Awaitility.with().atMost(LONGEST).pollInSameThread().until(() -> {
            all.addAll(await(queue.poll(queue.capacity())));
            return all.size() >= count;
        });
        return all;
    }

    @Override
    public List<TraceEvent> events() {
        return trace.events();
    }

    @Override
    public void loseNext(Opcode opcode) {
        AtomicBoolean lost = new AtomicBoolean();
        Interceptor once = transit -> transit.packet().bth().opcode() == opcode && lost.compareAndSet(false, true)
                ? new Verdict.Drop("the next " + opcode)
                : Verdict.PASS;
        near.network().intercept(once);
        far.network().intercept(once);
    }

    @Override
    public void evict(DeviceContext user, HostMemory memory) {
        memory.evict(0, memory.lengthBytes());
    }

    @Override
    public void fragment(Adapter adapter, int blockBytes) {
        far.network().fragmentMemory(adapter, Integer.numberOfTrailingZeros(blockBytes));
    }

    @Override
    public void close() {
        far.close();
        near.close();
    }
}
