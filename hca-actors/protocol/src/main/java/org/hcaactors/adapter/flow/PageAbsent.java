// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/**
 * A use of memory finds no page, and waits for it.
 *
 * @param key as it was named
 * @param address of the first byte that is not there, in its process
 */
public record PageAbsent(KeyDenied.Name name, int key, long address) implements Reason {}
