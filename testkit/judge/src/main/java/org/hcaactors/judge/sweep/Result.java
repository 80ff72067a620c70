// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

/**
 * What one run of a program came to.
 *
 * @param packets sent
 * @param succeeded requests that ended with SUCCESS
 * @param failed requests that ended otherwise
 */
public record Result(long packets, int succeeded, int failed) {
    public int requests() {
        return succeeded + failed;
    }
}
