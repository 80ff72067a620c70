// SPDX-License-Identifier: Apache-2.0
/** The report of a run, as a browser shows it. */
@NullMarked
package org.hcaactors.browser;

import org.jspecify.annotations.NullMarked;
