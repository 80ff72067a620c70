// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** A send or receive queue whose slots come free when a completion has been taken. Called from any thread. */
@FunctionalInterface
public interface SlotOwner {
    void release(int slots);
}
