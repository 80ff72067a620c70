// SPDX-License-Identifier: Apache-2.0
/** Exceptions of the verbs: errno, what was wrong, and what is allowed. */
@NullMarked
package org.hcaactors.api.error;

import org.jspecify.annotations.NullMarked;
