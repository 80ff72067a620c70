// SPDX-License-Identifier: Apache-2.0
/**
 * Comparison with real traffic: the project's machines act as one end of a captured conversation, and their packets are
 * compared one by one.
 */
@NullMarked
package org.hcaactors.lab.conform;

import org.jspecify.annotations.NullMarked;
