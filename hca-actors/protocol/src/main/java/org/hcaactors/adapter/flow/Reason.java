// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/**
 * Why something happened inside an adapter, as a value: whoever judges or explains a trace compares these. The words for
 * people stand in {@link Sentences}, and there alone.
 */
public sealed interface Reason
        permits BadAnswer,
                BadCommand,
                BadRequest,
                DependencyFailure,
                BudgetSpent,
                GoBack,
                Ignored,
                KeyDenied,
                NoPages,
                NoReceive,
                NoSession,
                Notice,
                PageAbsent,
                Reason.Unknown,
                Refused,
                StateReason,
                Stray,
                Uncopied {
    /**
     * One that this version has no name for, as a recorded run of another version may hold.
     *
     * @param text all that is known of it
     */
    record Unknown(String text) implements Reason {}
}
