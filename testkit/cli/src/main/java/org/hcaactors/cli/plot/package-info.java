// SPDX-License-Identifier: Apache-2.0
/** Charts as values, and their SVG form. */
@NullMarked
package org.hcaactors.cli.plot;

import org.jspecify.annotations.NullMarked;
