// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

/** One thing that a service does with the adapter, from creating what it needs to closing it. */
@FunctionalInterface
interface Round {
    /** IllegalStateException or VerbsException if anything ends otherwise than it must. */
    void play(WorkerEnvironment ground);
}
