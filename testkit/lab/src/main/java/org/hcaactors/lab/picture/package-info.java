// SPDX-License-Identifier: Apache-2.0
/** A run as files. */
@NullMarked
package org.hcaactors.lab.picture;

import org.jspecify.annotations.NullMarked;
