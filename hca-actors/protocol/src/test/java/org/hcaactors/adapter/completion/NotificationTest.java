// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Notifications of a completion queue: arming and moderation, row by row. */
class NotificationTest {
    private final Notification notification = new Notification();

    // rule completion-arm-solicited
    @ParameterizedTest(name = "armed for {0}: a solicited entry or error ({1}) reports: {2}")
    @CsvSource({"ANY, true, true", "ANY, false, true", "SOLICITED, true, true", "SOLICITED, false, false"})
    void anArmReportsOnlyItsKindOfEntries(Arm what, boolean solicited, boolean reports) {
        notification.arm(what);
        assertThat(notification.written(solicited, 0)).isEqualTo(reports);
        assertThat(notification.isArmed()).isNotEqualTo(reports);
    }

    // rule completion-arm-once
    @Test
    void unarmedNothingIsReported() {
        assertThat(notification.written(true, 0)).isFalse();
    }

    // rule completion-arm-once
    @Test
    void anArmRaisesOneEvent() {
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isTrue();
        assertThat(notification.written(false, 0)).isFalse();
    }

    // rule completion-arm-widens
    @Test
    void armingForAnyWidensAnArmForSolicited() {
        notification.arm(Arm.SOLICITED);
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isTrue();
    }

    // rule completion-arm-widens
    @Test
    void armingForSolicitedDoesNotNarrowAnArmForAny() {
        notification.arm(Arm.ANY);
        notification.arm(Arm.SOLICITED);
        assertThat(notification.written(false, 0)).isTrue();
    }

    // rule completion-moderation
    @Test
    void moderationByCountWaitsForSoManyEntries() {
        notification.moderate(3, 0, 0);
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isFalse();
        assertThat(notification.deadline()).as("by count alone").isEqualTo(Notification.NEVER);
        assertThat(notification.written(false, 0)).isFalse();
        assertThat(notification.written(false, 0)).isTrue();
    }

    // rule completion-moderation
    @Test
    void moderationByTimeWaitsFromTheFirstEntryAfterTheArm() {
        notification.moderate(0, 5_000, 0);
        notification.arm(Arm.ANY);
        assertThat(notification.deadline()).isEqualTo(Notification.NEVER);
        assertThat(notification.written(false, 100)).isFalse();
        assertThat(notification.written(false, 200)).isFalse();
        assertThat(notification.deadline()).isEqualTo(5_100);
        assertThat(notification.timeout(5_099)).isFalse();
        assertThat(notification.timeout(5_100)).isTrue();
        assertThat(notification.deadline()).isEqualTo(Notification.NEVER);
    }

    @Test
    void theFirstOfCountAndTimeReportsOnce() {
        notification.moderate(2, 5_000, 0);
        notification.arm(Arm.ANY);
        notification.written(false, 0);
        assertThat(notification.written(false, 10)).isTrue();
        assertThat(notification.timeout(6_000)).isFalse();
    }

    // rule completion-moderation-urgent
    @Test
    void solicitedEntriesAndErrorsAreNotDelayed() {
        notification.moderate(100, 5_000, 0);
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isFalse();
        assertThat(notification.written(true, 1)).isTrue();
    }

    // rule completion-moderation
    @Test
    void zeroAndZeroDelaysNothing() {
        notification.moderate(3, 5_000, 0);
        notification.moderate(0, 0, 0);
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isTrue();
    }

    @Test
    void countingStartsAfreshWithEachArm() {
        notification.moderate(2, 0, 0);
        notification.arm(Arm.ANY);
        notification.written(false, 0);
        assertThat(notification.written(false, 0)).isTrue();
        notification.arm(Arm.ANY);
        assertThat(notification.written(false, 0)).isFalse();
    }

    // rule completion-moderation-changed
    @Test
    void aChangeReportsAtOnceWhereTheNewTermsAreMet() {
        for (int[] attributes : new int[][] {{0, 0}, {2, 0}, {1, 5_000}}) {
            Notification waiting = waitingForFour(2);
            assertThat(waiting.moderate(attributes[0], attributes[1], 10))
                    .as("(%d, %d)", attributes[0], attributes[1])
                    .isTrue();
            assertThat(waiting.isArmed()).as("one event an arm").isFalse();
        }
    }

    private static Notification waitingForFour(int written) {
        Notification waiting = new Notification();
        waiting.moderate(4, 0, 0);
        waiting.arm(Arm.ANY);
        for (int i = 0; i < written; i++) {
            assertThat(waiting.written(false, 0)).isFalse();
        }
        return waiting;
    }

    // rule completion-moderation-changed
    @Test
    void aPeriodBeginsWithTheChangeThatSetsIt() {
        Notification waiting = waitingForFour(2);
        assertThat(waiting.moderate(0, 5_000, 100)).isFalse();
        assertThat(waiting.deadline()).isEqualTo(5_100);
        assertThat(waiting.moderate(3, 0, 200)).isFalse();
        assertThat(waiting.deadline()).as("by count alone").isEqualTo(Notification.NEVER);
        assertThat(waiting.written(false, 300)).as("the third since the arm").isTrue();
    }

    // rule completion-moderation-changed
    @Test
    void aChangeReportsNothingWhereNothingIsCounted() {
        assertThat(waitingForFour(0).moderate(0, 0, 10)).isFalse();
        Notification solicited = new Notification();
        solicited.moderate(4, 0, 0);
        solicited.arm(Arm.SOLICITED);
        solicited.written(false, 0);
        assertThat(solicited.moderate(0, 0, 10)).isFalse();
        assertThat(solicited.isArmed()).isTrue();
    }
}
