// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A key that was made for one try.
 *
 * @param address its first byte, as the key names it
 * @param revoke takes it away, by the verb of its kind
 */
record Grip(int key, long address, Supplier<CompletionStage<?>> revoke) {}
