// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/**
 * An access found a page absent and waits for it.
 *
 * @param key the key as it was named
 * @param address first absent byte, in the process
 */
public record PageAbsent(KeyDenied.Name name, int key, long address) implements Reason {}
