// SPDX-License-Identifier: Apache-2.0
/** Worlds written as files. */
@NullMarked
package org.hcaactors.lab.picture;

import org.jspecify.annotations.NullMarked;
