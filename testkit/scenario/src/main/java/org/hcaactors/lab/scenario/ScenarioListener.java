// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.world.World;

/** A listener of a scenario in its world. A request carries the name of its connection. */
final class ScenarioListener {
    /** Second end of a connection that may be asked for here. */
    private record Expected(ManagedConnection connection, Half half) {}

    private final World world;
    private final Listening entry;
    private final DeviceContext context;
    private final Map<String, Expected> expected = new LinkedHashMap<>();
    private Optional<ConnectionListener> listener = Optional.empty();

    /**
     * @param all all connections
     * @param environments environments of processes, by adapter name
     */
    ScenarioListener(
            World world,
            Listening entry,
            Collection<ManagedConnection> all,
            Map<String, Map<String, String>> environments) {
        this.world = world;
        this.entry = entry;
        context = ConnectionPlan.open(world, entry.adapter(), ScenarioConnection.PROCESS, environments);
        if (entry.answer() == Listening.Answer.ACCEPT) {
            all.stream().filter(this::isAskedBy).forEach(this::expect);
        }
    }

    private boolean isAskedBy(ManagedConnection connection) {
        return connection.entry().line().second().equals(entry.adapter())
                && connection.entry().port() == entry.port();
    }

    private void expect(ManagedConnection connection) {
        expected.put(connection.entry().line().name(), new Expected(connection, connection.accepting(this)));
    }

    Listening entry() {
        return entry;
    }

    DeviceContext context() {
        return context;
    }

    void listen() {
        listener = Optional.of(world.await(context.listen(entry.port(), entry.backlog())));
        tell("listens at port " + entry.port() + " with a backlog of " + entry.backlog());
        if (entry.answersAt().equals(entry.at())) {
            subscribe();
        }
    }

    /** Begins to decide later than it listens. */
    void answer() {
        tell("begins to answer requests");
        subscribe();
    }

    private void subscribe() {
        if (entry.answer() != Listening.Answer.IGNORE) {
            listener.ifPresent(open -> open.requests().subscribe(Subscribers.forEach(this::decide, reason -> {})));
        }
    }

    private void decide(ConnectionRequest request) {
        String name =
                StandardCharsets.UTF_8.decode(request.privateData()).toString().replace("\0", "");
        if (expected.containsKey(name)) {
            Expected known = Objects.requireNonNull(expected.remove(name));
            known.connection().accept(request, known.half());
        } else {
            request.reject();
        }
    }

    void close() {
        tell("stops listening at port " + entry.port());
        listener.ifPresent(open -> world.await(open.closeAsync()));
    }

    private void tell(String what) {
        world.tell(world.adapter(entry.adapter()), "program listener", ScenarioConnection.PROCESS + " " + what);
    }
}
