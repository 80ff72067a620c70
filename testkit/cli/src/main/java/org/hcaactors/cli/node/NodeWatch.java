// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.time.Duration;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;
import org.hcaactors.fabric.packet.PortAddress;

/** Actor that tells about members and adapters of the cluster as they come and go. */
final class NodeWatch {
    /** Time between two looks at the adapters. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private enum Tick {
        LOOK
    }

    private NodeWatch() {}

    /**
     * Creates the behavior.
     *
     * @param adapters the adapters that the node knows now
     * @param events gets what happens, on the actor's thread
     */
    static Behavior<Object> create(Supplier<SortedMap<String, PortAddress>> adapters, Consumer<NodeEvent> events) {
        return Behaviors.setup(context -> {
            subscribe(context);
            AdapterChanges changes = new AdapterChanges();
            return Behaviors.withTimers(timers -> {
                timers.startTimerWithFixedDelay(Tick.LOOK, LOOK);
                return Behaviors.receive(Object.class)
                        .onMessage(Tick.class, tick -> {
                            changes.to(adapters.get()).forEach(events);
                            return Behaviors.same();
                        })
                        .onMessage(ClusterEvent.MemberEvent.class, event -> {
                            events.accept(member(event.member(), words(event)));
                            return Behaviors.same();
                        })
                        .onMessage(ClusterEvent.ReachabilityEvent.class, event -> {
                            boolean reached = event instanceof ClusterEvent.ReachableMember;
                            events.accept(member(event.member(), reached ? "reachable" : "unreachable"));
                            return Behaviors.same();
                        })
                        .build();
            });
        });
    }

    private static void subscribe(ActorContext<Object> context) {
        Cluster cluster = Cluster.get(context.getSystem());
        cluster.subscriptions().tell(Subscribe.create(context.getSelf().narrow(), ClusterEvent.MemberEvent.class));
        cluster.subscriptions()
                .tell(Subscribe.create(context.getSelf().narrow(), ClusterEvent.ReachabilityEvent.class));
    }

    private static String words(ClusterEvent.MemberEvent event) {
        return event.member().status().toString().toLowerCase(Locale.ROOT);
    }

    private static NodeEvent member(Member member, String state) {
        return new NodeEvent.Member(text(member.address()), state);
    }

    /** Returns host and port. */
    static String text(Address address) {
        return address.hostPort().substring(address.system().length() + 1);
    }
}
