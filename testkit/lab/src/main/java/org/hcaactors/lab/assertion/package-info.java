// SPDX-License-Identifier: Apache-2.0
/** Assertions in the protocol's own words. */
@NullMarked
package org.hcaactors.lab.assertion;

import org.jspecify.annotations.NullMarked;
