// SPDX-License-Identifier: Apache-2.0
/**
 * Tests over many seeds, whatever runs them: how their worlds are made, what strikes in them, what a failed run is told as. Knows no JUnit.
 */
@NullMarked
package org.hcaactors.lab.seeds;

import org.jspecify.annotations.NullMarked;
