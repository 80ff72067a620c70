// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.adapter.state.QueuePairKinds;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.ScatterToCqe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lengths of inline data, by description, environment, and adapter. */
class InlineTermsTest {
    private static final InlineVariables UNSET = variables(Map.of());
    private static final InlineVariables OFF = variables(Map.of("MLX5_SCATTER_TO_CQE", "0"));
    private static final InlineVariables ON = variables(Map.of("MLX5_SCATTER_TO_CQE", "1"));
    private static final InlineGrant NOTHING = new InlineGrant(0, 0);

    private static InlineVariables variables(Map<String, String> environment) {
        return variables(environment, Profile.CONNECTX_5);
    }

    private static InlineVariables variables(Map<String, String> environment, Profile profile) {
        return InlineVariables.of(name -> Optional.ofNullable(environment.get(name)), profile);
    }

    private static QpDescription<?> asking(QpDescription<?> plain, int bytes) {
        return plain.withCapacity(QpCapacity.DEFAULT.withMaxInlineReceiveBytes(bytes));
    }

    private static InlineGrant grant(QpDescription<?> requested, InlineVariables variables, int receive, int send) {
        return grant(requested, Profile.CONNECTX_5, variables, receive, send);
    }

    private static InlineGrant grant(
            QpDescription<?> requested, Profile profile, InlineVariables variables, int receive, int send) {
        return InlineGrant.of(
                requested, QueuePairKinds.of(requested.type()).inlineUses(), profile, variables, receive, send);
    }

    private static InlineGrant grant(QpDescription<?> requested, InlineVariables variables) {
        return grant(requested, variables, 64, 64);
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    // rule inline-size
    @ParameterizedTest
    @CsvSource({"1, 64, 32", "32, 64, 32", "64, 64, 32", "1, 128, 64", "33, 128, 64", "5000, 128, 64", "0, 128, 0"})
    void receiveSizesFollowTheEntrySizeAndUdGetsNone(int asked, int entry, int granted) {
        assertThat(grant(asking(QpDescription.rc(), asked), UNSET, entry, 64).receiveBytes())
                .isEqualTo(granted);
        assertThat(grant(asking(QpDescription.uc(), asked), UNSET, entry, 64).receiveBytes())
                .isEqualTo(granted);
        assertThat(grant(asking(QpDescription.ud(), asked), UNSET, entry, 64)).isEqualTo(NOTHING);
    }

    // rule inline-size
    @Test
    void anAdapterWithoutInlineGrantsZeroAndRefusesNegativeSizes() {
        assertThat(grant(asking(QpDescription.rc(), 32), Profile.SOFT_ROCE, UNSET, 64, 64))
                .isEqualTo(NOTHING);
        refused(Errno.EINVAL, () -> grant(asking(QpDescription.rc(), -1), UNSET));
    }

    // rule inline-results
    @Test
    void resultSizesFollowTheSendCqAndNeedSignalAllOrTheFlag() {
        QpDescription<?> asking = asking(QpDescription.rc(), 32);
        assertThat(grant(asking, UNSET)).isEqualTo(new InlineGrant(32, 0));
        assertThat(grant(asking.withSignalAll(), UNSET, 64, 128)).isEqualTo(new InlineGrant(32, 64));
        assertThat(grant(asking.withSignalAll(), UNSET, 128, 64)).isEqualTo(new InlineGrant(64, 32));
        assertThat(grant(QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED), UNSET))
                .isEqualTo(new InlineGrant(32, 32));
        assertThat(grant(asking(QpDescription.uc(), 32).withSignalAll(), UNSET)).isEqualTo(new InlineGrant(32, 0));
        assertThat(grant(QpDescription.uc().withScatterToCqe(ScatterToCqe.ALLOWED), UNSET))
                .isEqualTo(new InlineGrant(32, 0));
        assertThat(grant(QpDescription.ud().withScatterToCqe(ScatterToCqe.ALLOWED), UNSET))
                .isEqualTo(NOTHING);
    }

    // rule inline-variables
    @Test
    void theEnvironmentTurnsInlineOffAndOn() {
        assertThat(grant(asking(QpDescription.rc(), 32), OFF)).isEqualTo(NOTHING);
        assertThat(grant(QpDescription.rc(), OFF)).isEqualTo(NOTHING);
        assertThat(grant(QpDescription.rc(), UNSET)).isEqualTo(NOTHING);
        assertThat(grant(QpDescription.rc(), ON)).isEqualTo(new InlineGrant(32, 0));
        assertThat(grant(QpDescription.rc().withSignalAll(), ON)).isEqualTo(new InlineGrant(32, 32));
        assertThat(grant(QpDescription.rc(), Profile.SOFT_ROCE, ON, 64, 64)).isEqualTo(NOTHING);
    }

    // rule inline-variables
    @Test
    void anAdapterWithoutInlineIgnoresTheVariables() {
        InlineVariables set = variables(Map.of("MLX5_SCATTER_TO_CQE", "1", "MLX5_CQE_SIZE", "128"), Profile.SOFT_ROCE);
        assertThat(set.entryBytes(CqDescription.of(8), 64, "it")).isEqualTo(64);
        assertThat(set).isEqualTo(UNSET);
    }

    // rule inline-flags
    @Test
    void aQueuePairsOwnFlagPrecedesTheEnvironment() {
        assertThat(grant(QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED), OFF))
                .isEqualTo(new InlineGrant(32, 32));
        assertThat(grant(QpDescription.rc().withScatterToCqe(ScatterToCqe.DISABLED), ON))
                .isEqualTo(NOTHING);
        assertThat(grant(
                        QpDescription.rc()
                                .withScatterToCqe(ScatterToCqe.ALLOWED)
                                .withScatterToCqe(ScatterToCqe.DISABLED),
                        UNSET))
                .as("the last word")
                .isEqualTo(NOTHING);
        refused(
                Errno.EINVAL,
                () -> grant(asking(QpDescription.rc(), 1).withScatterToCqe(ScatterToCqe.DISABLED), UNSET));
        refused(
                Errno.EOPNOTSUPP,
                () -> grant(
                        QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED), Profile.SOFT_ROCE, UNSET, 64, 64));
    }

    // rule inline-entry-size
    @Test
    void aWrongEntrySizeOfTheEnvironmentNamesItsVariable() {
        assertThatThrownBy(() -> variables(Map.of("MLX5_CQE_SIZE", "77")).entryBytes(CqDescription.of(8), 128, "it"))
                .hasMessageContaining(
                        "entry size of a completion queue is 77 bytes, set by MLX5_CQE_SIZE; 64 or 128 are allowed");
        assertThatThrownBy(() -> UNSET.entryBytes(CqDescription.of(8).withEntryBytes(77), 128, "it"))
                .hasMessageContaining("entry size of a completion queue is 77 bytes; 64 or 128 are allowed");
    }

    // rule inline-entry-size
    @Test
    void theDescriptionElseTheEnvironmentElse64SetsTheEntrySize() {
        InlineVariables large = variables(Map.of("MLX5_CQE_SIZE", "128"));
        CqDescription plain = CqDescription.of(8);
        assertThat(UNSET.entryBytes(plain, 128, "it")).isEqualTo(64);
        assertThat(large.entryBytes(plain, 128, "it")).isEqualTo(128);
        assertThat(large.entryBytes(plain.withEntryBytes(64), 128, "it")).isEqualTo(64);
        assertThat(UNSET.entryBytes(plain.withEntryBytes(128), 128, "it")).isEqualTo(128);
        refused(Errno.EINVAL, () -> UNSET.entryBytes(plain.withEntryBytes(96), 128, "it"));
        refused(Errno.EINVAL, () -> variables(Map.of("MLX5_CQE_SIZE", "large")).entryBytes(plain, 128, "it"));
        refused(Errno.EOPNOTSUPP, () -> large.entryBytes(plain, 64, "it"));
    }
}
