// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** A send or receive queue whose slots are freed when a completion is taken. Called from any thread. */
@FunctionalInterface
public interface SlotOwner {
    void release(int slots);
}
