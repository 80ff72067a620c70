// SPDX-License-Identifier: Apache-2.0
/** Marks for tests of this project: where they plant bugs. */
@NullMarked
package org.hcaactors.mutation;

import org.jspecify.annotations.NullMarked;
