// SPDX-License-Identifier: Apache-2.0
/** Typed refusals: the errno of the verb, what was wrong, what is allowed. */
@NullMarked
package org.hcaactors.api.error;

import org.jspecify.annotations.NullMarked;
