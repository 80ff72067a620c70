// SPDX-License-Identifier: Apache-2.0
/** A run in the forms of other tools: Perfetto, spreadsheets. */
@NullMarked
package org.hcaactors.views.export;

import org.jspecify.annotations.NullMarked;
