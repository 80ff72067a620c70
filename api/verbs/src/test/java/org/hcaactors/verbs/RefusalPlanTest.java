// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalPlanTest {
    private static RefusalPlan plan(String text) {
        return RefusalPlan.parse(text, Functions.refusable());
    }

    private static void expectRefused(RefusalPlan plan, String function, Errno errno) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> plan.check(function))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    @Test
    void onlyTheThirdCallIsRefused() {
        RefusalPlan plan = plan("ibv_create_cq:3:ENOMEM");
        plan.check("ibv_create_cq");
        plan.check("ibv_create_cq");

        expectRefused(plan, "ibv_create_cq", Errno.ENOMEM);
        assertThatCode(() -> plan.check("ibv_create_cq")).doesNotThrowAnyException();
    }

    @Test
    void callsOfOtherFunctionsDoNotCount() {
        RefusalPlan plan = plan("ibv_create_cq:1:ENOMEM");
        plan.check("ibv_create_qp");
        plan.check("");

        expectRefused(plan, "ibv_create_cq", Errno.ENOMEM);
    }

    @Test
    void entriesAreSeparatedByCommas() {
        RefusalPlan plan = plan("ibv_reg_mr:1:EAGAIN, ibv_reg_mr:2:EPERM,ibv_post_send:1:ENOMEM");

        expectRefused(plan, "ibv_reg_mr", Errno.EAGAIN);
        expectRefused(plan, "ibv_reg_mr", Errno.EPERM);
        expectRefused(plan, "ibv_post_send", Errno.ENOMEM);
    }

    @Test
    void onlyRefusalsThatTookPlaceAreTold() {
        RefusalPlan plan = plan("ibv_reg_mr:1:EAGAIN,ibv_reg_mr:2:EPERM");
        expectRefused(plan, "ibv_reg_mr", Errno.EAGAIN);

        assertThat(plan.struck()).hasToString("[ibv_reg_mr:1:EAGAIN]");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '\"\" is no refusal'",
        "ibv_create_cq, is no refusal",
        "ibv_create_cq:1, is no refusal",
        "ibv_create_cq:1:ENOMEM:2, is no refusal",
        "'ibv_create_cq:1:ENOMEM,', '\"\" is no refusal'",
        "ibv_fly:1:ENOMEM, cannot be refused; allowed are ibv_advise_mr",
        ":1:ENOMEM, cannot be refused",
        "ibv_create_cq:0:ENOMEM, is no number of a call",
        "ibv_create_cq:-1:ENOMEM, is no number of a call",
        "ibv_create_cq:x:ENOMEM, is no number of a call",
        "ibv_create_cq:99999999999999999999:ENOMEM, is no number of a call",
        "ibv_create_cq:1:ENOSPACE, is no errno of verbs; allowed are"
    })
    void nonsenseIsRefusedInWords(String text, String words) {
        assertThatIllegalArgumentException().isThrownBy(() -> plan(text)).withMessageContaining(words);
    }
}
