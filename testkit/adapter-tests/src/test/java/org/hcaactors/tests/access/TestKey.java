// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A key created for one trial.
 *
 * @param address address of its first byte under the key
 * @param revoke revokes it, with the verb of its kind
 */
record TestKey(int key, long address, Supplier<CompletionStage<?>> revoke) {}
