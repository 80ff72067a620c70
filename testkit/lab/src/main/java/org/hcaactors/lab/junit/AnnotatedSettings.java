// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.seeds.TestSettings;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.world.AdapterPlan;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Watch;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.ReflectionSupport;

/** Settings of worlds from annotations: checked when the test is discovered, and written as source for a pasted run. */
final class AnnotatedSettings {
    private AnnotatedSettings() {}

    /**
     * Returns the settings of the annotation.
     *
     * @throws ExtensionConfigurationException if a value is invalid
     */
    static TestSettings of(RdmaTest test) {
        TestSettings settings = worlds(test.watch(), test.invariants(), test.links(), test.profile())
                .allowing(new HashSet<>(Arrays.asList(test.allow())))
                .with(test.swarm())
                .with(pace(test));
        settings = test.allowUnstruckFaults() ? settings.allowingUnstruckFaults() : settings;
        return test.schedule().isEmpty() ? settings : settings.with(schedule(test.schedule()));
    }

    static TestSettings of(SharedWorld shared) {
        TestSettings settings = worlds(shared.watch(), shared.invariants(), shared.links(), shared.profile())
                .allowing(new HashSet<>(Arrays.asList(shared.allow())));
        return shared.allowUnstruckFaults() ? settings.allowingUnstruckFaults() : settings;
    }

    private static TestSettings worlds(
            Watch watch, Class<? extends Invariant>[] invariants, Link[] links, String profile) {
        AdapterPlan adapters = profile.isEmpty() ? AdapterPlan.DEFAULT : AdapterPlan.DEFAULT.with(profile(profile));
        TestSettings settings = TestSettings.DEFAULT.with(watch).with(cabled(adapters, links));
        for (Class<? extends Invariant> own : invariants) {
            checkMadeByItself(own);
            settings = settings.with(() -> ReflectionSupport.newInstance(own));
        }
        return settings;
    }

    private static Pace pace(RdmaTest test) {
        try {
            return new Pace(test.longestPauseNanos());
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException("longestPauseNanos: " + refused.getMessage(), refused);
        }
    }

    private static RecordedSchedule schedule(String text) {
        try {
            return RecordedSchedule.named(text);
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException("schedule: " + refused.getMessage(), refused);
        }
    }

    static Profile profile(String name) {
        try {
            return AdapterPlan.profileNamed(name);
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException(refused.getMessage(), refused);
        }
    }

    private static AdapterPlan cabled(AdapterPlan adapters, Link[] links) {
        AdapterPlan plan = adapters;
        Set<String> named = new HashSet<>();
        for (Link link : links) {
            if (!named.add(link.adapter())) {
                throw new ExtensionConfigurationException("links: two for "
                        + (link.adapter().isEmpty() ? "all adapters" : "adapter " + link.adapter())
                        + "; only one is allowed");
            }
            LinkProperties properties = properties(link);
            plan = link.adapter().isEmpty() ? plan.with(properties) : plan.with(link.adapter(), properties);
        }
        return plan;
    }

    private static LinkProperties properties(Link link) {
        try {
            return LinkProperties.of(link.latencyNanos(), link.bitsPerSecond());
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException("links: " + refused.getMessage(), refused);
        }
    }

    private static void checkMadeByItself(Class<? extends Invariant> own) {
        boolean inner = own.isMemberClass() && !Modifier.isStatic(own.getModifiers());
        Optional<Constructor<?>> plain = Arrays.stream(own.getDeclaredConstructors())
                .filter(constructor -> constructor.getParameterCount() == 0)
                .findFirst();
        if (inner || plain.isEmpty() || own.isInterface() || Modifier.isAbstract(own.getModifiers())) {
            throw new ExtensionConfigurationException("invariants: " + own.getName()
                    + " cannot be instantiated; a class with a constructor without parameters is required"
                    + (inner ? ", and a nested class must be static" : ""));
        }
    }

    /** Returns the annotation's settings that are not the default and apply to each run, as source text. */
    static List<String> words(RdmaTest test, Language language) {
        List<String> words = new ArrayList<>();
        if (test.watch() != Watch.PROGRAM) {
            words.add("watch = Watch." + test.watch());
        }
        if (test.invariants().length > 0) {
            words.add("invariants = "
                    + language.array(Arrays.stream(test.invariants())
                            .map(language::classLiteral)
                            .toList()));
        }
        if (test.links().length > 0) {
            words.add("links = "
                    + language.array(Arrays.stream(test.links())
                            .map(link -> language.nested(words(link, language)))
                            .toList()));
        }
        if (test.allow().length > 0) {
            words.add("allow = "
                    + language.array(Arrays.stream(test.allow())
                            .map(check -> "ProgramCheck." + check.name())
                            .toList()));
        }
        if (!test.profile().isEmpty()) {
            words.add("profile = " + language.quoted(test.profile()));
        }
        return words;
    }

    private static String words(Link link, Language language) {
        String adapter = link.adapter().isEmpty() ? "" : "adapter = " + language.quoted(link.adapter()) + ", ";
        return String.format(
                Locale.ROOT,
                "Link(%slatencyNanos = %dL, bitsPerSecond = %dL)",
                adapter,
                link.latencyNanos(),
                link.bitsPerSecond());
    }
}
