// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.world.World;

/** Listeners of a scenario, and its connections by communication management. */
final class ManagedConnections {
    private final World world;
    private final Scenario scenario;
    private final Map<String, ManagedConnection> all = new LinkedHashMap<>();
    private final Map<Listening, ScenarioListener> listeners = new LinkedHashMap<>();
    private Map<String, Map<String, String>> environments = Map.of();

    ManagedConnections(World world, Scenario scenario) {
        this.world = world;
        this.scenario = scenario;
    }

    /**
     * Plans the connections, before any of them is made.
     *
     * @param variables environments of processes, by adapter name
     */
    void plan(Map<String, Map<String, String>> variables, SplittableRandom random) {
        environments = variables;
        for (Connecting entry : scenario.connects()) {
            List<Job> own = scenario.traffic().stream()
                    .filter(job -> job.line().equals(entry.line()))
                    .toList();
            ConnectionPlan plan = new ConnectionPlan(world, entry.line(), own, environments, random);
            all.put(entry.line().name(), new ManagedConnection(world, entry, plan, world.now()));
        }
    }

    /** Adds the actions with their times: those of listeners, then those of connections. */
    void agenda(BiConsumer<Duration, Runnable> agenda) {
        for (Listening entry : scenario.listeners()) {
            agenda.accept(entry.at(), () -> listen(entry));
            if (!entry.answersAt().equals(entry.at())) {
                agenda.accept(entry.answersAt(), () -> find(entry).ifPresent(ScenarioListener::answer));
            }
            entry.closedAt().ifPresent(at -> agenda.accept(at, () -> find(entry).ifPresent(ScenarioListener::close)));
        }
        all.values().forEach(each -> each.agenda(agenda));
    }

    private void listen(Listening entry) {
        ScenarioListener made = new ScenarioListener(world, entry, all.values(), environments);
        made.listen();
        listeners.put(entry, made);
    }

    /** Returns the listener; empty if a fault refused it. */
    private Optional<ScenarioListener> find(Listening entry) {
        return Optional.ofNullable(listeners.get(entry));
    }

    /** Runs the action at once, or when it is certain whether the connection of the line is made. */
    void whenDecided(Line line, Runnable action) {
        ManagedConnection connection = all.get(line.name());
        if (connection == null) {
            action.run();
        } else {
            connection.whenDecided(action);
        }
    }

    /** Returns the connection, if it is one of these and both ends could send. */
    Optional<ScenarioConnection> find(Line line) {
        return Optional.ofNullable(all.get(line.name())).flatMap(ManagedConnection::made);
    }

    /** Throws what an action threw. */
    void rethrow() {
        all.values().forEach(ManagedConnection::rethrow);
    }

    SortedMap<String, ConnectionOutcome> outcomes() {
        SortedMap<String, ConnectionOutcome> outcomes = new TreeMap<>();
        all.forEach((name, connection) -> outcomes.put(name, connection.outcome()));
        return outcomes;
    }

    /** Returns why connections were not made. */
    List<String> failures() {
        return all.values().stream()
                .flatMap(connection -> connection.failure().stream())
                .toList();
    }
}
