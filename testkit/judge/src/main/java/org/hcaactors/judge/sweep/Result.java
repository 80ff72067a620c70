// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

/**
 * Totals of one run of a program.
 *
 * @param packets packets sent
 * @param succeeded requests that completed with SUCCESS
 * @param failed requests that ended otherwise
 */
public record Result(long packets, int succeeded, int failed) {
    public int requests() {
        return succeeded + failed;
    }
}
