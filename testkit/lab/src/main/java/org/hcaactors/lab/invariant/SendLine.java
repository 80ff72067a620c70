// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/** Requests of one queue pair that stay in order: all of them, or those of one stream (rule dc-streams). */
public record SendLine(QpName qp, int stream) {
    public static SendLine whole(QpName qp) {
        return new SendLine(qp, 0);
    }
}
