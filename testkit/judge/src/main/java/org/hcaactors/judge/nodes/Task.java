// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

/** One piece of work of a sweep, which one node does. */
sealed interface Task {
    long seed();

    /** The run of a seed. */
    record Run(long seed) implements Task {}

    /** The search for the minimal run of a seed that fails. */
    record Shrink(long seed) implements Task {}
}
