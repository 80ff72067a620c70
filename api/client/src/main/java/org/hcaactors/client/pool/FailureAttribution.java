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
 * Outcome of the requests that a lane lost: the culprit, those to answer, and those to post again. The first requests in the
 * order of posting, as far as they are to one target, may have been executed; so may requests among them that change keys,
 * which do not depend on their target. Later requests were not started, because a switch of targets waits until all earlier
 * requests are acknowledged. They are posted again, except those to the culprit's target, and those to the target of a change
 * of a key whose execution is unknown.
 *
 * @param culprit the request that failed for its own reason; empty if the initiator failed because of another stream's request
 * @param answered in the order of posting, including the culprit
 * @param sentAgain in the order of posting
 * @param doubtful of those answered, flushed changes of keys: requests that wait after them are not posted
 */
record FailureAttribution(
        Optional<PoolAnswer> culprit,
        List<PoolAnswer> answered,
        List<PoolRequest> sentAgain,
        List<PoolAnswer> doubtful) {
    /** @param outcomes all requests that a lane lost, in any order */
    static FailureAttribution on(List<PoolAnswer> outcomes) {
        List<PoolAnswer> failed = outcomes.stream()
                .sorted(Comparator.comparingLong(outcome -> outcome.request().place))
                .toList();
        Optional<PoolAnswer> culprit =
                failed.stream().filter(outcome -> !outcome.isFlush()).findFirst();
        long begun = mayHaveBegun(failed);
        Set<DcTargetKey> blamed = new HashSet<>();
        culprit.ifPresent(failure -> blamed.add(targetOf(failure)));
        List<PoolAnswer> answered = new ArrayList<>();
        List<PoolRequest> sentAgain = new ArrayList<>();
        List<PoolAnswer> doubtful = new ArrayList<>();
        for (PoolAnswer outcome : failed) {
            boolean exhausted = outcome.request().timesPosted >= PoolMachine.MAX_POSTED;
            if (answered.size() >= begun && !blamed.contains(targetOf(outcome)) && outcome.isFlush() && !exhausted) {
                sentAgain.add(outcome.request());
                continue;
            }
            answered.add(outcome);
            if (changesKey(outcome) && outcome.isFlush() && blamed.add(targetOf(outcome))) {
                doubtful.add(outcome);
            }
        }
        return new FailureAttribution(culprit, List.copyOf(answered), List.copyOf(sentAgain), List.copyOf(doubtful));
    }

    /** Returns how many of the first requests may have been executed. */
    private static long mayHaveBegun(List<PoolAnswer> failed) {
        Optional<DcTargetKey> first = failed.stream()
                .filter(outcome -> !changesKey(outcome))
                .findFirst()
                .map(FailureAttribution::targetOf);
        return failed.stream()
                .takeWhile(outcome -> changesKey(outcome) || first.equals(Optional.of(targetOf(outcome))))
                .count();
    }

    private static boolean changesKey(PoolAnswer outcome) {
        return outcome.request().work instanceof KeyWork;
    }

    private static DcTargetKey targetOf(PoolAnswer outcome) {
        return outcome.request().to;
    }
}
