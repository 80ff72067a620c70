// SPDX-License-Identifier: Apache-2.0
/**
 * The Java side of {@code libibverbs.so.1}: serves the verbs of a C program from an adapter of this library.
 *
 * <p>The C side starts a JVM in the program's process, hands {@link org.hcaactors.verbs.Start} its routines and receives upcalls.
 * All numbers that both sides use come from one table, of which the build makes the class {@code Calls}.
 */
@NullMarked
package org.hcaactors.verbs;

import org.jspecify.annotations.NullMarked;
