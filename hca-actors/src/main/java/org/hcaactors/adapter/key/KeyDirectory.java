// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

/** Finds the translator of a key. Called from any thread; it only tells the adapter's actor. */
@FunctionalInterface
public interface KeyDirectory {
    /** The holder is granted a lease, or refused. */
    void ask(int key, LeaseHolder holder);
}
