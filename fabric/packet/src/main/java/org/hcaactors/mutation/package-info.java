// SPDX-License-Identifier: Apache-2.0
/** Annotations for members in which this project's tests plant bugs. */
@NullMarked
package org.hcaactors.mutation;

import org.jspecify.annotations.NullMarked;
