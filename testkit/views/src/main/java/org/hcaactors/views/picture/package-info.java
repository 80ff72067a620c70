// SPDX-License-Identifier: Apache-2.0
/** A run as files. */
@NullMarked
package org.hcaactors.views.picture;

import org.jspecify.annotations.NullMarked;
