// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.work.KeyWork;

/**
 * Who is to blame for what a lane lost, and what becomes of the others. The first requests in the order of posting, as far as
 * they are for one target, may have been carried out or not; and so may changes of keys among them, which ask nothing of their
 * targets. What stands behind them was not begun: a switch waits for the acknowledgement of all before it. It is sent again, but
 * for what is for the culprit's target, or for that of a change of a key of which nobody knows whether it was made.
 *
 * @param culprit what failed for a reason of its own; none where the initiator was in error for another stream's request
 * @param answered in the order of posting, the culprit among them
 * @param sentAgain in the order of posting
 * @param doubtful of those answered, changes of keys that were flushed: what waits behind them is not posted
 */
record FailureAttribution(
        Optional<PoolAnswer> culprit,
        List<PoolAnswer> answered,
        List<PoolRequest> sentAgain,
        List<PoolAnswer> doubtful) {
    /** @param outcomes all that a lane lost, in any order */
    static FailureAttribution on(List<PoolAnswer> outcomes) {
        List<PoolAnswer> failed = outcomes.stream()
                .sorted(Comparator.comparingLong(outcome -> outcome.request().place))
                .toList();
        Optional<PoolAnswer> culprit =
                failed.stream().filter(outcome -> !outcome.isFlush()).findFirst();
        long begun = begun(failed);
        Set<DcTargetKey> blamed = new HashSet<>();
        culprit.ifPresent(its -> blamed.add(to(its)));
        List<PoolAnswer> answered = new ArrayList<>();
        List<PoolRequest> sentAgain = new ArrayList<>();
        List<PoolAnswer> doubtful = new ArrayList<>();
        for (PoolAnswer outcome : failed) {
            boolean tooOften = outcome.request().timesPosted >= PoolMachine.MAX_POSTED;
            if (answered.size() >= begun && !blamed.contains(to(outcome)) && outcome.isFlush() && !tooOften) {
                sentAgain.add(outcome.request());
                continue;
            }
            answered.add(outcome);
            if (changesKey(outcome) && outcome.isFlush() && blamed.add(to(outcome))) {
                doubtful.add(outcome);
            }
        }
        return new FailureAttribution(culprit, List.copyOf(answered), List.copyOf(sentAgain), List.copyOf(doubtful));
    }

    /** How many may have been, of those in the order of posting. */
    private static long begun(List<PoolAnswer> failed) {
        Optional<DcTargetKey> first = failed.stream()
                .filter(outcome -> !changesKey(outcome))
                .findFirst()
                .map(FailureAttribution::to);
        return failed.stream()
                .takeWhile(outcome -> changesKey(outcome) || first.equals(Optional.of(to(outcome))))
                .count();
    }

    private static boolean changesKey(PoolAnswer outcome) {
        return outcome.request().work instanceof KeyWork;
    }

    private static DcTargetKey to(PoolAnswer outcome) {
        return outcome.request().to;
    }
}
