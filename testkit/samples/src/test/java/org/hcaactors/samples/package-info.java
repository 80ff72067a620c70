// SPDX-License-Identifier: Apache-2.0
/** Sample tests of programs with the testkit. */
@NullMarked
package org.hcaactors.samples;

import org.jspecify.annotations.NullMarked;
