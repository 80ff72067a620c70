// SPDX-License-Identifier: Apache-2.0
/** Exports of a run to other tools: Perfetto, spreadsheets. */
@NullMarked
package org.hcaactors.views.export;

import org.jspecify.annotations.NullMarked;
