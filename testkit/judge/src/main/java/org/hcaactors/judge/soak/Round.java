// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

/** One task of a service with the adapter, from creating its objects to closing them. */
@FunctionalInterface
interface Round {
    /** Plays the round; throws IllegalStateException or VerbsException if a result is not as it must be. */
    void play(WorkerEnvironment environment);
}
