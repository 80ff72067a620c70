// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** A queue pair among all of a network. */
public record QpName(String port, int number) {
    @Override
    public String toString() {
        return port + "/qp" + number;
    }
}
