// SPDX-License-Identifier: Apache-2.0
/**
 * A covering array: every pair of values of the product's features, and every triple, occurs in a checked world. The values are
 * in Features, the impossible combinations in Exclusions, the expected results in OutcomeRules. A new feature is a constant of
 * one of the enums, or an enum and a line in Features.
 */
@NullMarked
package org.hcaactors.judge.cover;

import org.jspecify.annotations.NullMarked;
