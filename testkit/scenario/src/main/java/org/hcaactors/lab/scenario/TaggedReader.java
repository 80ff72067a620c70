// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Scenario.Plug;

/** Reads pairs of endpoints for tagged messages, and their steps. */
final class TaggedReader {
    /** Its name in {@code type}. */
    static final String TYPE = "TAGGED";

    private static final int MAX_LISTED = 0x7FFF;
    private static final int MAX_UNEXPECTED = 1024;
    private static final long MAX_EAGER = 64 << 10;
    private static final List<String> VERBS = List.of("send", "receive", "cancel");

    private final Map<String, Plug> adapters;
    private final Map<String, TaggedConnection> lines = new LinkedHashMap<>();
    private final List<TaggedStep> steps = new ArrayList<>();

    /** @param adapters all adapters, by name */
    TaggedReader(Map<String, Plug> adapters) {
        this.adapters = adapters;
    }

    Map<String, TaggedConnection> lines() {
        return lines;
    }

    /** Returns the steps in the order of the file. */
    List<TaggedStep> steps() {
        return steps;
    }

    /** @param ends names of known adapters */
    void line(String name, Section keys, List<String> ends) {
        keys.only(TermsReader.keysAnd("type", "between", "max-eager-bytes", "listed", "unexpected"));
        for (String end : ends) {
            comparesTags(keys, end);
        }
        TagEndpointDescription usual = TagEndpointDescription.DEFAULT;
        TagEndpointDescription endpoint = usual.withMaxEagerBytes(
                        keys.has("max-eager-bytes")
                                ? (int) keys.bytes("max-eager-bytes", 0, MAX_EAGER)
                                : usual.maxEagerBytes())
                .withMaxListed(
                        keys.has("listed") ? TermsReader.number(keys, "listed", 1, MAX_LISTED) : usual.maxListed())
                .withMaxUnexpected(
                        keys.has("unexpected")
                                ? TermsReader.number(keys, "unexpected", 1, MAX_UNEXPECTED)
                                : usual.maxUnexpected());
        lines.put(name, new TaggedConnection(name, ends.get(0), ends.get(1), TermsReader.attributes(keys), endpoint));
    }

    // rule tag-capabilities
    private void comparesTags(Section keys, String adapter) {
        Plug plug = adapters.get(adapter);
        if (plug != null && !plug.profile().tags().isSupported()) {
            throw keys.wrong(
                    "type",
                    adapter + " is a " + plug.profile().name() + ", which does not support tag matching; "
                            + Profile.ALL.stream()
                                    .filter(profile -> profile.tags().isSupported())
                                    .map(Profile::name)
                                    .collect(Collectors.joining(", "))
                            + " do");
        }
    }

    /** Reads a step of the traffic. */
    TaggedStep step(Section keys) {
        keys.only("on", "send", "receive", "cancel", "from", "of", "tag", "mask", "as", "times", "at", "wait");
        List<String> verbs = VERBS.stream().filter(keys::has).toList();
        if (verbs.size() != 1) {
            throw keys.wrong(
                    verbs.isEmpty()
                            ? "has no action; one of " + String.join(", ", VERBS) + " is needed"
                            : "has the actions " + String.join(" and ", verbs) + "; only one is allowed");
        }
        TaggedConnection line = Objects.requireNonNull(lines.get(keys.text("on")));
        TaggedStep step = switch (verbs.getFirst()) {
            case "send" -> send(keys, line);
            case "receive" -> receive(keys, line);
            default -> cancel(keys, line);
        };
        steps.add(step);
        return step;
    }

    private static TaggedStep send(Section keys, TaggedConnection line) {
        keys.only("on", "send", "from", "tag", "times", "at", "wait");
        return new TaggedStep.Send(
                line,
                isSecond(keys, "from", line, false),
                tag(keys),
                bytes(keys, "send"),
                times(keys),
                at(keys),
                waits(keys));
    }

    private TaggedStep receive(Section keys, TaggedConnection line) {
        keys.only("on", "receive", "of", "tag", "mask", "as", "times", "at", "wait");
        String called = keys.has("as") ? keys.text("as") : "";
        if (!called.isEmpty() && steps.stream().anyMatch(each -> isCalled(each, line, called))) {
            throw keys.wrong(
                    "as", "another receive of " + line.name() + " has the name " + called + "; names must be unique");
        }
        return new TaggedStep.Receive(
                line,
                isSecond(keys, "of", line, true),
                tag(keys),
                keys.has("mask") ? keys.whole("mask", 0, Long.MAX_VALUE) : TagAdd.EXACTLY,
                bytes(keys, "receive"),
                times(keys),
                called,
                at(keys),
                waits(keys));
    }

    private TaggedStep cancel(Section keys, TaggedConnection line) {
        keys.only("on", "cancel", "at", "wait");
        String named = keys.text("cancel");
        TaggedStep.Receive receive = steps.stream()
                .filter(each -> isCalled(each, line, named))
                .map(TaggedStep.Receive.class::cast)
                .findFirst()
                .orElseThrow(() -> keys.wrong(
                        "cancel", "no earlier entry posts a receive of " + line.name() + " with as = " + named));
        Duration at = at(keys);
        if (at.compareTo(receive.at()) < 0) {
            throw keys.wrong(
                    "at", named + " is posted later, at " + receive.at().toNanos() + " ns");
        }
        return new TaggedStep.Cancel(receive, at, waits(keys));
    }

    private static boolean isCalled(TaggedStep step, TaggedConnection line, String name) {
        return step instanceof TaggedStep.Receive receive
                && receive.line().equals(line)
                && receive.called().equals(name);
    }

    private static long tag(Section keys) {
        return keys.whole("tag", 0, Long.MAX_VALUE);
    }

    private static int bytes(Section keys, String verb) {
        return (int) keys.bytes(verb, 0, Scenario.MAX_BYTES);
    }

    private static int times(Section keys) {
        return keys.has("times") ? TermsReader.number(keys, "times", 1, ScenarioReader.MAX_TIMES) : 1;
    }

    private static Duration at(Section keys) {
        return keys.has("at") ? keys.time("at") : Duration.ZERO;
    }

    private static boolean waits(Section keys) {
        return keys.has("wait") && keys.flag("wait");
    }

    private static boolean isSecond(Section keys, String key, TaggedConnection line, boolean usually) {
        if (!keys.has(key)) {
            return usually;
        }
        String end = keys.text(key);
        if (!end.equals(line.first()) && !end.equals(line.second())) {
            throw keys.wrong(
                    key,
                    end + " is not connected by " + line.name() + "; " + line.first() + " and " + line.second()
                            + " are allowed");
        }
        return end.equals(line.second());
    }
}
