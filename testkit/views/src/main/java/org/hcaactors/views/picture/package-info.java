// SPDX-License-Identifier: Apache-2.0
/** Runs written as files. */
@NullMarked
package org.hcaactors.views.picture;

import org.jspecify.annotations.NullMarked;
