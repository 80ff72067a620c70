// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.actors.device.AdapterHandle;
import org.hcaactors.api.device.Adapter;

/** The adapters of a network, each with its number from 1. Not thread-safe. */
final class PluggedAdapters {
    private static final int MAX_ADAPTERS = 65_000;

    private final Map<String, Plugged> adapters = new LinkedHashMap<>();
    private final AdapterNumbers numbers = new AdapterNumbers(MAX_ADAPTERS);

    private record Plugged(int number, Adapter adapter) {}

    /**
     * Returns the number of an adapter that is to be added.
     *
     * @throws IllegalArgumentException if the name is not legal or in use, or there are too many adapters
     */
    int numberFor(String name) {
        AdapterHandle.checkName(name);
        if (adapters.containsKey(name) || adapters.size() == MAX_ADAPTERS) {
            throw new IllegalArgumentException("adapter " + name
                    + " can't be added: the name is in use, or the network has " + MAX_ADAPTERS + " adapters");
        }
        return numbers.next();
    }

    void add(int number, Adapter adapter) {
        numbers.take(number);
        adapters.put(adapter.name(), new Plugged(number, adapter));
    }

    Optional<Adapter> find(String name) {
        return Optional.ofNullable(adapters.get(name)).map(Plugged::adapter);
    }

    /** Returns all in the order of plugging in. */
    List<Adapter> all() {
        return adapters.values().stream().map(Plugged::adapter).toList();
    }

    /** @throws IllegalArgumentException if the adapter is not one of these */
    AdapterHandle handle(Adapter adapter) {
        if (plugged(adapter).adapter instanceof AdapterHandle handle) {
            return handle;
        }
        throw notHere(adapter);
    }

    /** @throws IllegalArgumentException if the adapter is not one of these */
    int numberOf(Adapter adapter) {
        return plugged(adapter).number;
    }

    private Plugged plugged(Adapter adapter) {
        return Optional.ofNullable(adapters.get(adapter.name()))
                .filter(plugged -> plugged.adapter == adapter)
                .orElseThrow(() -> notHere(adapter));
    }

    private static IllegalArgumentException notHere(Adapter adapter) {
        return new IllegalArgumentException(adapter + " is not on this network");
    }

    boolean has(Adapter adapter) {
        return find(adapter.name()).filter(adapter::equals).isPresent();
    }

    void remove(Adapter adapter) {
        numbers.free(numberOf(adapter));
        adapters.remove(adapter.name());
    }

    /** Returns the names in the order of plugging in. */
    @Override
    public String toString() {
        return adapters.isEmpty() ? "no adapter" : String.join(", ", adapters.keySet());
    }
}
