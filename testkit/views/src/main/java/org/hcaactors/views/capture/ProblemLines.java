// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.List;

/** Lines about messages with problems; consecutive messages that merely have no response share a line. */
final class ProblemLines {
    private ProblemLines() {}

    /** Returns the lines; at most {@link CaptureSummary#MAX_EXPLAINED} rows. */
    static List<String> of(List<RequestMessage> troubled) {
        List<String> lines = new ArrayList<>();
        int next = 0;
        for (int row = 0; row < CaptureSummary.MAX_EXPLAINED && next < troubled.size(); row++) {
            int end = endOfRow(troubled, next);
            lines.addAll(row(troubled.subList(next, end)));
            next = end;
        }
        if (next < troubled.size()) {
            lines.add("  and " + CaptureSummary.count(troubled.size() - next, "message") + " more");
        }
        return lines;
    }

    private static int endOfRow(List<RequestMessage> troubled, int from) {
        int end = from + 1;
        while (end < troubled.size()
                && isMerelyUnanswered(troubled.get(end - 1))
                && isMerelyUnanswered(troubled.get(end))
                && troubled.get(end).number() == troubled.get(end - 1).number() + 1) {
            end++;
        }
        return end;
    }

    private static boolean isMerelyUnanswered(RequestMessage message) {
        return message.incidents().isEmpty() && message.answer().isEmpty();
    }

    private static List<String> row(List<RequestMessage> row) {
        RequestMessage first = row.getFirst();
        RequestMessage last = row.getLast();
        return row.size() == 1
                ? MessageSummary.of(first).lines()
                : List.of(
                        "  %d messages, from %s, to %s: sent in frames %d to %d, and the capture contains no answer that completes any of them"
                                .formatted(
                                        row.size(),
                                        first.wording(),
                                        last.wording(),
                                        first.first().frame(),
                                        last.first().frame()));
    }
}
