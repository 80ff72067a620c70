// SPDX-License-Identifier: Apache-2.0
/** What everything that is created has in common: it is closed, or reported as left open. */
@NullMarked
package org.hcaactors.api.handle;

import org.jspecify.annotations.NullMarked;
