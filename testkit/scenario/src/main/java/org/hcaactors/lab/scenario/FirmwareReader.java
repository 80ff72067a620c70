// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hcaactors.adapter.firmware.FirmwareImage;
import org.hcaactors.adapter.firmware.FirmwareSettings;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Scenario.Plug;

/**
 * Reads firmware settings, initial and during the scenario, and refuses those that an adapter would refuse. It therefore tracks
 * the capabilities of each adapter over time.
 */
final class FirmwareReader {
    private static final int MAX_STEPS = 64;

    /** The firmware of one adapter, with its settings at the time up to which the file has been read. */
    private static final class Rack {
        final FirmwareImage image;
        final List<Start> starts = new ArrayList<>();
        FirmwareSettings now;

        Rack(Profile model, HostMachine machine, List<FirmwareAssignment> settings) {
            image = new FirmwareImage(model, machine.platformFor(model));
            now = image.restarted(image.set(FirmwareSettings.DEFAULTS, settings), Restart.POWER_CYCLE);
            starts.add(new Start(Duration.ZERO, image.effective(now)));
        }

        Profile at(Duration time) {
            return starts.stream()
                    .filter(start -> start.at.compareTo(time) <= 0)
                    .reduce((first, second) -> second)
                    .orElseThrow()
                    .does;
        }
    }

    /** The capabilities from that start on. */
    private record Start(Duration at, Profile does) {}

    private record Entry(Section keys, FirmwareStep step) {}

    private final Section file;
    private final Map<String, Rack> racks = new LinkedHashMap<>();

    FirmwareReader(Section file) {
        this.file = file;
    }

    /** Reads the settings of the first start. */
    static List<FirmwareAssignment> settings(Section adapter, Profile model, HostMachine machine) {
        if (!adapter.has("firmware")) {
            return List.of();
        }
        Section keys = adapter.section("firmware");
        List<FirmwareAssignment> requested = assignments(keys);
        refusing(adapter, "firmware", () -> new Rack(model, machine, requested));
        return requested;
    }

    /** Reads the firmware steps, ordered by time. */
    List<FirmwareStep> read(Map<String, Plug> adapters) {
        adapters.forEach((name, plug) -> racks.put(name, new Rack(plug.profile(), plug.machine(), plug.firmware())));
        List<Entry> entries = new ArrayList<>();
        for (Section keys : file.has("firmware") ? file.sections("firmware") : List.<Section>of()) {
            if (entries.size() == MAX_STEPS) {
                throw keys.wrong("firmware has more than " + MAX_STEPS + " entries, the maximum");
            }
            entries.add(new Entry(keys, step(keys)));
        }
        entries.sort(Comparator.comparing(entry -> entry.step().at()));
        entries.forEach(this::play);
        return entries.stream().map(Entry::step).toList();
    }

    /** Returns the effective capabilities of an adapter at that time. */
    Profile at(String adapter, Duration time) {
        return rack(adapter).at(time);
    }

    private Rack rack(String adapter) {
        return Objects.requireNonNull(racks.get(adapter));
    }

    private FirmwareStep step(Section keys) {
        keys.only("of", "at", "set", "reset", "restart");
        String adapter = keys.text("of");
        if (!racks.containsKey(adapter)) {
            throw keys.wrong(
                    "of", "there is no adapter " + adapter + "; there are " + String.join(", ", racks.keySet()));
        }
        List<String> verbs =
                Stream.of("set", "reset", "restart").filter(keys::has).toList();
        if (verbs.size() != 1) {
            throw keys.wrong(
                    verbs.isEmpty()
                            ? "has no action; one of set, reset, restart is needed"
                            : "has the actions " + String.join(" and ", verbs) + "; only one is allowed");
        }
        Duration at = keys.has("at") ? keys.time("at") : Duration.ZERO;
        return switch (verbs.getFirst()) {
            case "set" -> new FirmwareStep.Set(adapter, at, assignments(keys.section("set")));
            case "reset" -> {
                if (!keys.flag("reset")) {
                    throw keys.wrong("reset", "only true is allowed");
                }
                yield new FirmwareStep.Reset(adapter, at);
            }
            default -> new FirmwareStep.Start(adapter, at, keys.one("restart", Restart.class));
        };
    }

    private static List<FirmwareAssignment> assignments(Section keys) {
        List<FirmwareAssignment> requested = new ArrayList<>();
        for (String name : keys.keys()) {
            refusing(keys, name, () -> requested.add(FirmwareAssignment.parse(name + "=" + keys.text(name))));
        }
        if (requested.isEmpty()) {
            throw keys.wrong("sets no variable; NAME = value is required");
        }
        return requested;
    }

    private void play(Entry entry) {
        switch (entry.step()) {
            case FirmwareStep.Set set -> play(entry, "set", rack -> rack.image.set(rack.now, set.requested()));
            case FirmwareStep.Reset reset -> play(entry, "reset", rack -> rack.image.reset(rack.now));
            case FirmwareStep.Start start -> {
                Rack rack = rack(start.adapter());
                rack.now = rack.image.restarted(rack.now, start.how());
                rack.starts.add(new Start(start.at(), rack.image.effective(rack.now)));
            }
        }
    }

    private void play(Entry entry, String key, Function<Rack, FirmwareSettings> change) {
        Rack rack = rack(entry.step().adapter());
        refusing(entry.keys(), key, () -> rack.now = change.apply(rack));
    }

    /** Reports a refusal of the firmware as an error of the file. */
    private static void refusing(Section keys, String key, Runnable act) {
        try {
            act.run();
        } catch (FirmwareException refused) {
            throw keys.wrong(key, String.valueOf(refused.getMessage()));
        }
    }
}
