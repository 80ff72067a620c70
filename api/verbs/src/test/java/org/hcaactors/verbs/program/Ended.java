// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program that has ended.
 *
 * @param status exit status, 128 and the number of the signal if one ended it
 * @param output what it printed, on both outputs
 */
record Ended(String name, int status, String output) {
    Ended assertDone() {
        assertThat(status).as("%s: %s", name, output).isZero();
        return this;
    }
}
