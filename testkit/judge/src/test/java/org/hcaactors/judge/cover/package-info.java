// SPDX-License-Identifier: Apache-2.0
/**
 * A covering array: every pair of values of the product's features, and every triple, meets in a checked world. What there is stands
 * in Features, what can't be in Exclusions, what becomes of a combination in Expected. A new feature is a
 * constant of one of the enums, or an enum and a line in Features.
 */
@NullMarked
package org.hcaactors.judge.cover;

import org.jspecify.annotations.NullMarked;
