// SPDX-License-Identifier: Apache-2.0
/** Concurrency tests over all interleavings, used by the tests of several modules. */
@NullMarked
package org.hcaactors.interleavings;

import org.jspecify.annotations.NullMarked;
