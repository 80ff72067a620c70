// SPDX-License-Identifier: Apache-2.0
/** A run as one self-contained HTML file. */
@NullMarked
package org.hcaactors.views.report;

import org.jspecify.annotations.NullMarked;
