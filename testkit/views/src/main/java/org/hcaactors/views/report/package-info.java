// SPDX-License-Identifier: Apache-2.0
/** A run as one HTML file that needs nothing else. */
@NullMarked
package org.hcaactors.views.report;

import org.jspecify.annotations.NullMarked;
