// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hcaactors.fabric.wire.Decoded;

/** Frames of a capture that a reader skipped, counted by reason. Not thread-safe. */
public final class SkippedFrames {
    /** Maximum number of different reasons that depend on the bytes of a frame; for further ones only the kind is counted. */
    static final int MAX_REASONS = 16;

    private final Map<String, Integer> byReason = new TreeMap<>();
    private final Set<String> reported = new LinkedHashSet<>();

    /** @param reason one of a small, fixed set */
    public void count(String reason) {
        byReason.merge(reason, 1, Integer::sum);
    }

    public void count(Decoded.NotRoce other) {
        count(other.kind(), other.wording());
    }

    public void count(Decoded.Malformed bad) {
        count(bad.kind(), bad.wording());
    }

    private void count(String kind, String wording) {
        boolean isReported = reported.contains(wording) || reported.size() < MAX_REASONS && reported.add(wording);
        count(isReported ? wording : kind + ": other reasons");
    }

    /** Returns the counts, sorted by reason. */
    public Map<String, Integer> byReason() {
        return new TreeMap<>(byReason);
    }
}
