// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.dispatch.Dispatchers;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.MessageDispatcherConfigurator;
import org.hcaactors.actors.service.Shards;

/**
 * Dispatchers of a network's shards. The first is {@code hca.device-dispatcher}. Shard n is {@code hca.shards.n} if the actor
 * system's configuration has it; otherwise it is configured like the first one, including overrides.
 */
final class ShardDispatchers {
    private static final String FIRST = "hca.device-dispatcher";

    private ShardDispatchers() {}

    static Shards of(ActorSystem<?> system, int count) {
        Dispatchers dispatchers = system.classicSystem().dispatchers();
        Config config = system.settings().config();
        // Refuses a wrong configuration now, and by the name that the program knows.
        dispatchers.lookup(FIRST);
        List<DispatcherSelector> all = IntStream.range(0, count)
                .mapToObj(shard -> shard == 0 ? FIRST : another(shard, dispatchers, config))
                .map(DispatcherSelector::fromConfig)
                .toList();
        return new Shards(all);
    }

    private static String another(int shard, Dispatchers dispatchers, Config config) {
        String name = "hca.shards." + shard;
        if (!dispatchers.hasDispatcher(name)) {
            Config alike = dispatchers.config(name, configOf(FIRST, config));
            dispatchers.registerConfigurator(name, new Made(alike, dispatchers));
        }
        return name;
    }

    /** Resolves a dispatcher that is an alias of another. */
    private static Config configOf(String name, Config config) {
        return config.getValue(name).valueType() == ConfigValueType.STRING
                ? configOf(config.getString(name), config)
                : config.getConfig(name);
    }

    /** A dispatcher that the configuration does not contain. */
    private static final class Made extends MessageDispatcherConfigurator {
        private final MessageDispatcher dispatcher;

        Made(Config config, Dispatchers dispatchers) {
            super(config, dispatchers.prerequisites());
            dispatcher = dispatchers.from(config);
        }

        @Override
        public MessageDispatcher dispatcher() {
            return dispatcher;
        }
    }
}
