// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.List;
import java.util.stream.Collectors;
import org.hcaactors.actors.device.AdapterHandle;

/** Text of a timeout: the verbs that have no answer yet, or that no verb is pending. */
final class TimeoutReply {
    private static final int NAMED = 8;

    private TimeoutReply() {}

    static String by(List<AdapterHandle> adapters) {
        List<String> verbs = adapters.stream()
                .flatMap(adapter -> adapter.unanswered().stream())
                .toList();
        if (verbs.isEmpty()) {
            return "every verb was answered, so the stage waits for a completion or an event";
        }
        String named = verbs.stream().limit(NAMED).collect(Collectors.joining(", "));
        int more = verbs.size() - NAMED;
        return "no answer yet to " + named + (more > 0 ? " and " + more + " more" : "");
    }
}
