// SPDX-License-Identifier: Apache-2.0
/** Conveniences for reactive streams. */
@NullMarked
package org.hcaactors.api.stream;

import org.jspecify.annotations.NullMarked;
