// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;

/** Packets that a run lost on the way, and requests that were sent again, in a few lines. */
final class Losses {
    /** Maximum lines of reasons. */
    private static final int MAX_REASONS = 6;

    /** Requests that are named. */
    private static final int MAX_NAMED = 8;

    private final Lineage lineage;

    Losses(Lineage lineage) {
        this.lineage = lineage;
    }

    List<String> sentences() {
        List<String> all = new ArrayList<>(lost());
        sentAgain().ifPresent(all::add);
        return all;
    }

    private List<String> lost() {
        Map<String, Integer> reasons = new LinkedHashMap<>();
        for (TraceEvent event : lineage.events()) {
            if (event instanceof FabricEvent fate) {
                reason(fate).ifPresent(reason -> reasons.merge(sender(fate) + ": " + reason, 1, Integer::sum));
            }
        }
        List<String> lines = new ArrayList<>(reasons.entrySet().stream()
                .limit(MAX_REASONS)
                .map(each -> (each.getValue() == 1 ? "1 packet was lost" : each.getValue() + " packets were lost")
                        + " on the way from " + each.getKey())
                .toList());
        if (reasons.size() > MAX_REASONS) {
            int more = reasons.values().stream()
                    .skip(MAX_REASONS)
                    .mapToInt(Integer::intValue)
                    .sum();
            lines.add("%d more %s lost on the way".formatted(more, more == 1 ? "packet was" : "packets were"));
        }
        return lines;
    }

    private static Optional<String> reason(FabricEvent fate) {
        return switch (fate) {
            case FabricEvent.Dropped dropped -> Optional.of(dropped.reason());
            case FabricEvent.Corrupted corrupted ->
                Optional.of("bad ICRC"
                        + corrupted
                                .by()
                                .map(rule -> ", corrupted by " + rule)
                                .orElseGet(() -> ": " + corrupted.what()));
            default -> Optional.empty();
        };
    }

    private String sender(FabricEvent fate) {
        return lineage.sending(fate).map(FabricEvent.Sent::port).orElseGet(fate::port);
    }

    /** Returns the requests of which a queue pair sent packets again. */
    private Optional<String> sentAgain() {
        Set<HcaEvent.WorkPosted> again = new LinkedHashSet<>();
        for (TraceEvent event : lineage.events()) {
            if (event instanceof FabricEvent.Sent sent && isAgain(sent)) {
                lineage.posting(sent).ifPresent(again::add);
            }
        }
        return again.stream()
                .findFirst()
                .map(first -> "%d %s sent again: %s; %s explains the first"
                        .formatted(
                                again.size(),
                                again.size() == 1 ? "request was" : "requests were",
                                names(again),
                                option(first)));
    }

    /** Returns {@code 2 of b/714 (5 times), 3 of b/714}: programs use an id again. */
    private static String names(Set<HcaEvent.WorkPosted> requests) {
        Map<String, Integer> names = new LinkedHashMap<>();
        requests.forEach(posted -> names.merge(posted.work().id() + " of " + owner(posted), 1, Integer::sum));
        String named = names.entrySet().stream()
                .limit(MAX_NAMED)
                .map(name -> name.getKey() + (name.getValue() == 1 ? "" : " (" + name.getValue() + " times)"))
                .collect(Collectors.joining(", "));
        return names.size() > MAX_NAMED ? named + ", and others" : named;
    }

    private String option(HcaEvent.WorkPosted first) {
        return lineage.consequences(first, HcaEvent.Completed.class).stream()
                .findFirst()
                .map(done -> "--event " + done.stamp().id())
                .orElse("--request " + first.work().id() + " --qp " + owner(first));
    }

    private static boolean isAgain(FabricEvent.Sent sent) {
        return sent.stamp().otherCause() != 0
                && sent.packet().opcode().transport().isAnswered()
                && !sent.packet().operation().isResponse();
    }

    private static String owner(HcaEvent.WorkPosted posted) {
        return posted.port() + "/" + posted.element().number();
    }
}
