// SPDX-License-Identifier: Apache-2.0
/**
 * Tests over many seeds, for any test framework: settings of their worlds, faults, and reports of failed runs. Independent of
 * JUnit.
 */
@NullMarked
package org.hcaactors.lab.seeds;

import org.jspecify.annotations.NullMarked;
