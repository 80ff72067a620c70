// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Who is to blame for what a lane lost, and what becomes of the others. The first requests in the order of posting, as far as
 * they are for one target, may have been carried out or not. What stands behind them was not begun: a switch waits for the
 * acknowledgement of all before it. It is sent again, but for what is for the culprit's target.
 *
 * @param culprit what failed for a reason of its own; none where the initiator was in error for another stream's request
 * @param answered in the order of posting, the culprit among them
 * @param sentAgain in the order of posting
 */
record Blame(Optional<PoolAnswer> culprit, List<PoolAnswer> answered, List<PoolRequest> sentAgain) {
    /** @param outcomes all that a lane lost, in any order */
    static Blame on(List<PoolAnswer> outcomes) {
        List<PoolAnswer> failed = outcomes.stream()
                .sorted(Comparator.comparingLong(outcome -> outcome.request().place))
                .toList();
        Optional<PoolAnswer> culprit =
                failed.stream().filter(outcome -> !outcome.isFlush()).findFirst();
        long begun = failed.stream()
                .takeWhile(outcome -> to(outcome).equals(to(failed.getFirst())))
                .count();
        List<PoolAnswer> answered = new ArrayList<>();
        List<PoolRequest> sentAgain = new ArrayList<>();
        for (PoolAnswer outcome : failed) {
            boolean blamed = culprit.filter(its -> to(its).equals(to(outcome))).isPresent();
            boolean tooOften = outcome.request().timesPosted >= PoolMachine.MOST_POSTED;
            if (answered.size() < begun || blamed || !outcome.isFlush() || tooOften) {
                answered.add(outcome);
            } else {
                sentAgain.add(outcome.request());
            }
        }
        return new Blame(culprit, List.copyOf(answered), List.copyOf(sentAgain));
    }

    private static Recipient to(PoolAnswer outcome) {
        return outcome.request().to;
    }
}
