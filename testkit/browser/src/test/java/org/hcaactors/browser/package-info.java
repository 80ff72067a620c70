// SPDX-License-Identifier: Apache-2.0
/** Browser tests of the report of a run. */
@NullMarked
package org.hcaactors.browser;

import org.jspecify.annotations.NullMarked;
